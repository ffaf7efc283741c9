BEGIN TRANSACTION;
CREATE TABLE api_keys (
	id VARCHAR(36) NOT NULL, 
	key_hash VARCHAR(64) NOT NULL, 
	owner_id VARCHAR(36) NOT NULL, 
	session_id VARCHAR(36), 
	name TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	last_used_at DATETIME, 
	revoked_at DATETIME, 
	PRIMARY KEY (id), 
	UNIQUE (key_hash), 
	FOREIGN KEY(owner_id) REFERENCES owners (id) ON DELETE CASCADE, 
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
INSERT INTO "api_keys" VALUES('47cf0199-dab5-4249-b5bf-bf7823e1ba78','8113bd5ce7e044ad876d144bff65cc73ac755fc4b493d94176ae820cb6c02b6f','5ad37efb-d8ba-4731-8e78-1e02d45a579e',NULL,'old key','2026-11-21 15:29:31.346297',NULL,NULL);
CREATE TABLE chunks (
	document_key INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	page_ordinal INTEGER NOT NULL, 
	page_number INTEGER, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	headings TEXT NOT NULL, 
	anchor TEXT, 
	PRIMARY KEY (document_key, ordinal), 
	FOREIGN KEY(document_key) REFERENCES documents ("key") ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "chunks" VALUES(1,0,0,NULL,0,59,'text','[]',NULL);
INSERT INTO "chunks" VALUES(2,0,0,NULL,0,58,'text','[]',NULL);
INSERT INTO "chunks" VALUES(3,0,0,NULL,0,62,'text','[]',NULL);
CREATE TABLE conversations (
	id VARCHAR(36) NOT NULL, 
	session_id VARCHAR(36) NOT NULL, 
	title TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	used BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
INSERT INTO "conversations" VALUES('99611717-4205-477e-997b-d41bd448f76b','19878b5b-aa97-4d43-aee7-533325ac121a','Who built the lighthouse?','2026-11-21 15:29:31.179652','2026-11-21 15:29:31.287619',3);
CREATE TABLE documents (
	"key" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	session_id VARCHAR(36) NOT NULL, 
	id VARCHAR(80) NOT NULL, 
	name TEXT NOT NULL, 
	label TEXT NOT NULL, 
	kind VARCHAR(20), 
	state VARCHAR(20) NOT NULL, 
	title TEXT NOT NULL, 
	url TEXT NOT NULL, 
	size BIGINT NOT NULL, 
	pages BIGINT NOT NULL, 
	pages_without_text BIGINT NOT NULL, 
	pages_ocr BIGINT NOT NULL, 
	chunks BIGINT NOT NULL, 
	language VARCHAR(20) NOT NULL, 
	progress FLOAT NOT NULL, 
	seconds FLOAT NOT NULL, 
	reason TEXT NOT NULL, 
	cure TEXT NOT NULL, 
	notices TEXT NOT NULL, 
	searched BOOLEAN NOT NULL, 
	added_at DATETIME NOT NULL, 
	ready_at DATETIME, 
	replaces VARCHAR(80), 
	UNIQUE (session_id, id), 
	UNIQUE (session_id, label), 
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
INSERT INTO "documents" VALUES(1,'19878b5b-aa97-4d43-aee7-533325ac121a','611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6','lighthouse.txt','lighthouse.txt','text','ready','','',59,1,0,0,1,'en',1.0,3.04647367100005794782e+00,'','','[]',1,'2026-11-21 15:29:27.919918','2026-11-21 15:29:30.984071',NULL);
INSERT INTO "documents" VALUES(2,'19878b5b-aa97-4d43-aee7-533325ac121a','ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe','bread.txt','bread.txt','text','ready','','',58,1,0,0,1,'en',1.0,2.87273302299945498816e+00,'','','[]',1,'2026-11-21 15:29:27.939913','2026-11-21 15:29:30.823380',NULL);
INSERT INTO "documents" VALUES(3,'19878b5b-aa97-4d43-aee7-533325ac121a','4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a','whales.txt','whales.txt','text','ready','','',62,1,0,0,1,'en',1.0,2.94049074000213295221e-01,'','','[]',1,'2026-11-21 15:29:27.950653','2026-11-21 15:29:31.131577',NULL);
CREATE TABLE jobs (
	"key" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	id VARCHAR(36) NOT NULL, 
	session_id VARCHAR(36) NOT NULL, 
	created_at DATETIME NOT NULL, 
	items TEXT NOT NULL, 
	UNIQUE (id), 
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE TABLE messages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	conversation_id VARCHAR(36) NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	text TEXT NOT NULL, 
	answer TEXT, 
	created_at DATETIME NOT NULL, 
	FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
);
INSERT INTO "messages" VALUES(1,'99611717-4205-477e-997b-d41bd448f76b','user','Who built the lighthouse of Port Amber?',NULL,'2026-11-21 15:29:31.193262');
INSERT INTO "messages" VALUES(2,'99611717-4205-477e-997b-d41bd448f76b','assistant','The lighthouse of Port Amber was built in 1874 by Ida Holm. [1]

Humpback whales sing for up to twenty minutes without a pause. [2]

Sourdough bread is baked for forty minutes at 230 degrees. [3]','{"question":"Who built the lighthouse of Port Amber?","text":"The lighthouse of Port Amber was built in 1874 by Ida Holm. [1]\n\nHumpback whales sing for up to twenty minutes without a pause. [2]\n\nSourdough bread is baked for forty minutes at 230 degrees. [3]","citations":[{"number":1,"chunk_id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6:0","document_id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6","label":"lighthouse.txt","kind":"text","page_ordinal":0,"page_number":null,"start":0,"end":59,"quote":"The lighthouse of Port Amber was built in 1874 by Ida Holm.","title":"","headings":[],"anchor":null,"url":"","score":1.0,"passage":"The lighthouse of Port Amber was built in 1874 by Ida Holm.","spans":[],"attribution":""},{"number":2,"chunk_id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a:0","document_id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a","label":"whales.txt","kind":"text","page_ordinal":0,"page_number":null,"start":0,"end":62,"quote":"Humpback whales sing for up to twenty minutes without a pause.","title":"","headings":[],"anchor":null,"url":"","score":0.08505321200811887,"passage":"Humpback whales sing for up to twenty minutes without a pause.","spans":[],"attribution":""},{"number":3,"chunk_id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe:0","document_id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe","label":"bread.txt","kind":"text","page_ordinal":0,"page_number":null,"start":0,"end":58,"quote":"Sourdough bread is baked for forty minutes at 230 degrees.","title":"","headings":[],"anchor":null,"url":"","score":0.0,"passage":"Sourdough bread is baked for forty minutes at 230 degrees.","spans":[],"attribution":""}],"unused":[],"claims":[{"start":0,"end":59,"numbers":[1],"support":"verbatim","reason":"","score":1.0},{"start":65,"end":127,"numbers":[2],"support":"verbatim","reason":"","score":1.0},{"start":133,"end":191,"numbers":[3],"support":"verbatim","reason":"","score":1.0}],"abstention":null,"confidence":0.9918211560538364,"search":{"plan":{"question":"Who built the lighthouse of Port Amber?","goal":"Who built the lighthouse of Port Amber?","queries":["Who built the lighthouse of Port Amber?"],"level":"as typed","notices":[]},"hits":[{"chunk":{"id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6:0","document_id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6","ordinal":0,"page_ordinal":0,"page_number":null,"start":0,"end":59,"text":"The lighthouse of Port Amber was built in 1874 by Ida Holm.","headings":[],"anchor":null,"kind":"text"},"document":{"id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6","session_id":"19878b5b-aa97-4d43-aee7-533325ac121a","name":"lighthouse.txt","label":"lighthouse.txt","kind":"text","state":"ready","title":"","url":"","size":59,"pages":1,"pages_without_text":0,"pages_ocr":0,"chunks":1,"language":"en","progress":1.0,"seconds":3.046473671000058,"reason":"","cure":"","notices":[],"searched":true,"added_at":"2026-11-21T15:29:27.919918Z","ready_at":"2026-11-21T15:29:30.984071Z","attribution":""},"dense":0.8029168248176575,"dense_rank":1,"lexical":6.270774841308594,"lexical_rank":1,"fused":1.0,"fused_rank":1,"rerank":null,"rerank_rank":null,"rank":1,"query":"Who built the lighthouse of Port Amber?","context":"The lighthouse of Port Amber was built in 1874 by Ida Holm.","context_start":0,"context_end":59,"dropped":"","other_places":[]},{"chunk":{"id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a:0","document_id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a","ordinal":0,"page_ordinal":0,"page_number":null,"start":0,"end":62,"text":"Humpback whales sing for up to twenty minutes without a pause.","headings":[],"anchor":null,"kind":"text"},"document":{"id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a","session_id":"19878b5b-aa97-4d43-aee7-533325ac121a","name":"whales.txt","label":"whales.txt","kind":"text","state":"ready","title":"","url":"","size":62,"pages":1,"pages_without_text":0,"pages_ocr":0,"chunks":1,"language":"en","progress":1.0,"seconds":0.2940490740002133,"reason":"","cure":"","notices":[],"searched":true,"added_at":"2026-11-21T15:29:27.950653Z","ready_at":"2026-11-21T15:29:31.131577Z","attribution":""},"dense":0.07187092304229736,"dense_rank":2,"lexical":null,"lexical_rank":null,"fused":0.08505321200811887,"fused_rank":2,"rerank":null,"rerank_rank":null,"rank":2,"query":"Who built the lighthouse of Port Amber?","context":"Humpback whales sing for up to twenty minutes without a pause.","context_start":0,"context_end":62,"dropped":"","other_places":[]},{"chunk":{"id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe:0","document_id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe","ordinal":0,"page_ordinal":0,"page_number":null,"start":0,"end":58,"text":"Sourdough bread is baked for forty minutes at 230 degrees.","headings":[],"anchor":null,"kind":"text"},"document":{"id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe","session_id":"19878b5b-aa97-4d43-aee7-533325ac121a","name":"bread.txt","label":"bread.txt","kind":"text","state":"ready","title":"","url":"","size":58,"pages":1,"pages_without_text":0,"pages_ocr":0,"chunks":1,"language":"en","progress":1.0,"seconds":2.872733022999455,"reason":"","cure":"","notices":[],"searched":true,"added_at":"2026-11-21T15:29:27.939913Z","ready_at":"2026-11-21T15:29:30.823380Z","attribution":""},"dense":-0.07797431945800781,"dense_rank":3,"lexical":null,"lexical_rank":null,"fused":0.0,"fused_rank":3,"rerank":null,"rerank_rank":null,"rank":3,"query":"Who built the lighthouse of Port Amber?","context":"Sourdough bread is baked for forty minutes at 230 degrees.","context_start":0,"context_end":58,"dropped":"","other_places":[]}],"dropped":[],"steps":[{"name":"dense","detail":"all-MiniLM-L6-v2","seconds":0.011525760000949958,"count":3},{"name":"lexical","detail":"BM25","seconds":0.0010543759999563918,"count":1},{"name":"fuse","detail":"weighted, 0.5 dense","seconds":0.0031226979990606196,"count":3},{"name":"join","detail":"neighbours on the page","seconds":0.007984889998624567,"count":3}],"notices":[]},"answerer":"extractive","usage":null,"notices":[],"seconds":0.07543823900050484,"complete":true,"prompt":""}','2026-11-21 15:29:31.287619');
CREATE TABLE owners (
	id VARCHAR(36) NOT NULL, 
	token_hash VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (token_hash)
);
INSERT INTO "owners" VALUES('5ad37efb-d8ba-4731-8e78-1e02d45a579e','729d7d638cef1b476c9ad1d5d275dc91fc253a026e0924d45b8995bcf828b01b','2026-11-21 15:29:27.800789');
CREATE TABLE pages (
	document_key INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	number INTEGER, 
	width FLOAT NOT NULL, 
	height FLOAT NOT NULL, 
	ocr BOOLEAN NOT NULL, 
	headings TEXT NOT NULL, 
	blocks TEXT NOT NULL, 
	text BLOB NOT NULL, 
	boxes BLOB NOT NULL, 
	PRIMARY KEY (document_key, ordinal), 
	FOREIGN KEY(document_key) REFERENCES documents ("key") ON DELETE CASCADE
);
INSERT INTO "pages" VALUES(2,0,NULL,0.0,0.0,0,'[]','[]',X'536F7572646F7567682062726561642069732062616B656420666F7220666F727479206D696E757465732061742032333020646567726565732E',X'');
INSERT INTO "pages" VALUES(1,0,NULL,0.0,0.0,0,'[]','[]',X'546865206C69676874686F757365206F6620506F727420416D62657220776173206275696C7420696E20313837342062792049646120486F6C6D2E',X'');
INSERT INTO "pages" VALUES(3,0,NULL,0.0,0.0,0,'[]','[]',X'48756D706261636B207768616C65732073696E6720666F7220757020746F207477656E7479206D696E7574657320776974686F757420612070617573652E',X'');
CREATE TABLE schema_info (
	version INTEGER NOT NULL, 
	deletions BIGINT NOT NULL, 
	erased BIGINT NOT NULL
);
INSERT INTO "schema_info" VALUES(1,0,0);
CREATE TABLE sessions (
	id VARCHAR(36) NOT NULL, 
	owner_id VARCHAR(36) NOT NULL, 
	name TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	used BIGINT NOT NULL, 
	served BIGINT NOT NULL, 
	preferences TEXT NOT NULL, 
	collection_model TEXT NOT NULL, 
	collection_digest TEXT NOT NULL, 
	collection_dimension BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(owner_id) REFERENCES owners (id) ON DELETE CASCADE
);
INSERT INTO "sessions" VALUES('19878b5b-aa97-4d43-aee7-533325ac121a','5ad37efb-d8ba-4731-8e78-1e02d45a579e','Facts','2026-11-21 15:29:27.809527','2026-11-21 15:29:31.333311',5,3,'{}','all-MiniLM-L6-v2','53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db',384);
CREATE INDEX ix_sessions_owner_id ON sessions (owner_id);
CREATE INDEX documents_by_state ON documents (state, session_id, "key");
CREATE INDEX documents_by_name ON documents (session_id, name);
CREATE INDEX ix_conversations_session_id ON conversations (session_id);
CREATE INDEX ix_api_keys_owner_id ON api_keys (owner_id);
CREATE INDEX ix_api_keys_session_id ON api_keys (session_id);
CREATE INDEX ix_jobs_session_id ON jobs (session_id);
CREATE INDEX ix_messages_conversation_id ON messages (conversation_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('documents',3);
INSERT INTO "sqlite_sequence" VALUES('messages',2);
COMMIT;
