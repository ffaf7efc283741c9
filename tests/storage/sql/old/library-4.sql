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
INSERT INTO "api_keys" VALUES('3629c2a0-9ff0-413a-819a-aa20a7a0a676','288561e4327336f2a18be03892272de40a18d5b088a661e7c7a1fc73609b4494','5a755b68-b2f3-45d7-939c-828aa4c0ef70',NULL,'old key','2026-11-21 18:33:10.836623',NULL,NULL);
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
CREATE TABLE collect_runs (
	"key" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	id VARCHAR(36) NOT NULL, 
	session_id VARCHAR(36) NOT NULL, 
	source VARCHAR(80) NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	request TEXT NOT NULL, 
	progress TEXT NOT NULL, 
	outcome TEXT NOT NULL, 
	refresh BOOLEAN NOT NULL, 
	legs BIGINT NOT NULL, 
	reason TEXT NOT NULL, 
	cure TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	began_at DATETIME, 
	ended_at DATETIME, 
	UNIQUE (id), 
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
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
INSERT INTO "conversations" VALUES('6aea861e-5126-42fc-9901-35fb0c295d6c','2718fdc1-11f7-4846-a068-38e6493571e9','Who built the lighthouse of Port Amber?','2026-11-21 18:33:10.745433','2026-11-21 18:33:10.784089',3);
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
	attribution TEXT NOT NULL, 
	source VARCHAR(80) NOT NULL, 
	published TEXT NOT NULL, 
	expires_at DATETIME, 
	UNIQUE (session_id, id), 
	UNIQUE (session_id, label), 
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
INSERT INTO "documents" VALUES(1,'2718fdc1-11f7-4846-a068-38e6493571e9','611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6','lighthouse.txt','lighthouse.txt','text','ready','','',59,1,0,0,1,'en',1.0,2.92122849400038830935e+00,'','','[]',1,'2026-11-21 18:33:06.727179','2026-11-21 18:33:09.699340',NULL,'','','',NULL);
INSERT INTO "documents" VALUES(2,'2718fdc1-11f7-4846-a068-38e6493571e9','ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe','bread.txt','bread.txt','text','ready','','',58,1,0,0,1,'en',1.0,2.658437928999774158e+00,'','','[]',1,'2026-11-21 18:33:06.802495','2026-11-21 18:33:09.481522',NULL,'','','',NULL);
INSERT INTO "documents" VALUES(3,'2718fdc1-11f7-4846-a068-38e6493571e9','4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a','whales.txt','whales.txt','text','ready','','',62,1,0,0,1,'en',1.0,1.10071302699725492857e+00,'','','[]',1,'2026-11-21 18:33:06.823342','2026-11-21 18:33:10.676677',NULL,'','','',NULL);
CREATE TABLE evaluation_results (
	run_key INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	item TEXT NOT NULL, 
	measures TEXT, 
	detail TEXT, 
	PRIMARY KEY (run_key, position), 
	FOREIGN KEY(run_key) REFERENCES evaluation_runs ("key") ON DELETE CASCADE
);
CREATE TABLE evaluation_runs (
	"key" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	id VARCHAR(36) NOT NULL, 
	session_id VARCHAR(36) NOT NULL, 
	name TEXT NOT NULL, 
	set_name TEXT NOT NULL, 
	set_digest VARCHAR(64) NOT NULL, 
	settings TEXT NOT NULL, 
	made_with TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	total INTEGER NOT NULL, 
	done INTEGER NOT NULL, 
	summary TEXT NOT NULL, 
	notes TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	finished_at DATETIME, 
	UNIQUE (id), 
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE TABLE golden_items (
	set_key INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	item TEXT NOT NULL, 
	PRIMARY KEY (set_key, position), 
	FOREIGN KEY(set_key) REFERENCES golden_sets ("key") ON DELETE CASCADE
);
CREATE TABLE golden_sets (
	"key" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	id VARCHAR(36) NOT NULL, 
	session_id VARCHAR(36) NOT NULL, 
	name TEXT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	questions INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	UNIQUE (id), 
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE TABLE human_marks (
	run_key INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	rater VARCHAR(80) NOT NULL, 
	marks TEXT NOT NULL, 
	comment TEXT NOT NULL, 
	PRIMARY KEY (run_key, position, rater), 
	FOREIGN KEY(run_key, position) REFERENCES evaluation_results (run_key, position) ON DELETE CASCADE
);
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
INSERT INTO "messages" VALUES(1,'6aea861e-5126-42fc-9901-35fb0c295d6c','user','Who built the lighthouse of Port Amber?',NULL,'2026-11-21 18:33:10.756705');
INSERT INTO "messages" VALUES(2,'6aea861e-5126-42fc-9901-35fb0c295d6c','assistant','The lighthouse of Port Amber was built in 1874 by Ida Holm. [1]

Humpback whales sing for up to twenty minutes without a pause. [2]

Sourdough bread is baked for forty minutes at 230 degrees. [3]','{"question":"Who built the lighthouse of Port Amber?","text":"The lighthouse of Port Amber was built in 1874 by Ida Holm. [1]\n\nHumpback whales sing for up to twenty minutes without a pause. [2]\n\nSourdough bread is baked for forty minutes at 230 degrees. [3]","citations":[{"number":1,"chunk_id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6:0","document_id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6","label":"lighthouse.txt","kind":"text","page_ordinal":0,"page_number":null,"start":0,"end":59,"quote":"The lighthouse of Port Amber was built in 1874 by Ida Holm.","title":"","headings":[],"anchor":null,"url":"","score":1.0,"passage":"The lighthouse of Port Amber was built in 1874 by Ida Holm.","spans":[],"attribution":"","published":"","read_at":""},{"number":2,"chunk_id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a:0","document_id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a","label":"whales.txt","kind":"text","page_ordinal":0,"page_number":null,"start":0,"end":62,"quote":"Humpback whales sing for up to twenty minutes without a pause.","title":"","headings":[],"anchor":null,"url":"","score":0.08265251460940519,"passage":"Humpback whales sing for up to twenty minutes without a pause.","spans":[],"attribution":"","published":"","read_at":""},{"number":3,"chunk_id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe:0","document_id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe","label":"bread.txt","kind":"text","page_ordinal":0,"page_number":null,"start":0,"end":58,"quote":"Sourdough bread is baked for forty minutes at 230 degrees.","title":"","headings":[],"anchor":null,"url":"","score":0.0,"passage":"Sourdough bread is baked for forty minutes at 230 degrees.","spans":[],"attribution":"","published":"","read_at":""}],"unused":[],"claims":[{"start":0,"end":59,"numbers":[1],"support":"verbatim","reason":"","score":1.0},{"start":65,"end":127,"numbers":[2],"support":"verbatim","reason":"","score":1.0},{"start":133,"end":191,"numbers":[3],"support":"verbatim","reason":"","score":1.0}],"abstention":null,"confidence":0.9809571793182639,"search":{"plan":{"question":"Who built the lighthouse of Port Amber?","goal":"Who built the lighthouse of Port Amber?","queries":["Who built the lighthouse of Port Amber?"],"level":"as typed","notices":[],"follows":false,"known":[],"tokens":null},"hits":[{"chunk":{"id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6:0","document_id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6","ordinal":0,"page_ordinal":0,"page_number":null,"start":0,"end":59,"text":"The lighthouse of Port Amber was built in 1874 by Ida Holm.","headings":[],"anchor":null,"kind":"text"},"document":{"id":"611d01f266929250325f4eb94cec4d8e569ddf7d95ab23b2248fc3ee222ef0c6","session_id":"2718fdc1-11f7-4846-a068-38e6493571e9","name":"lighthouse.txt","label":"lighthouse.txt","kind":"text","state":"ready","title":"","url":"","size":59,"pages":1,"pages_without_text":0,"pages_ocr":0,"chunks":1,"language":"en","progress":1.0,"seconds":2.9212284940003883,"reason":"","cure":"","notices":[],"searched":true,"added_at":"2026-11-21T18:33:06.727179Z","ready_at":"2026-11-21T18:33:09.699340Z","attribution":"","source":"","published":"","expires_at":null},"dense":0.5354832410812378,"dense_rank":1,"lexical":6.270774841308594,"lexical_rank":1,"fused":1.0,"fused_rank":1,"rerank":null,"rerank_rank":null,"rank":1,"query":"Who built the lighthouse of Port Amber?","context":"The lighthouse of Port Amber was built in 1874 by Ida Holm.","context_start":0,"context_end":59,"dropped":"","other_places":[]},{"chunk":{"id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a:0","document_id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a","ordinal":0,"page_ordinal":0,"page_number":null,"start":0,"end":62,"text":"Humpback whales sing for up to twenty minutes without a pause.","headings":[],"anchor":null,"kind":"text"},"document":{"id":"4d48f4b2b4cd1562f0038da170019338ec64f4ea33319eb58999f480ffd8d17a","session_id":"2718fdc1-11f7-4846-a068-38e6493571e9","name":"whales.txt","label":"whales.txt","kind":"text","state":"ready","title":"","url":"","size":62,"pages":1,"pages_without_text":0,"pages_ocr":0,"chunks":1,"language":"en","progress":1.0,"seconds":1.100713026997255,"reason":"","cure":"","notices":[],"searched":true,"added_at":"2026-11-21T18:33:06.823342Z","ready_at":"2026-11-21T18:33:10.676677Z","attribution":"","source":"","published":"","expires_at":null},"dense":0.0926010012626648,"dense_rank":2,"lexical":null,"lexical_rank":null,"fused":0.08265251460940519,"fused_rank":2,"rerank":null,"rerank_rank":null,"rank":2,"query":"Who built the lighthouse of Port Amber?","context":"Humpback whales sing for up to twenty minutes without a pause.","context_start":0,"context_end":62,"dropped":"","other_places":[]},{"chunk":{"id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe:0","document_id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe","ordinal":0,"page_ordinal":0,"page_number":null,"start":0,"end":58,"text":"Sourdough bread is baked for forty minutes at 230 degrees.","headings":[],"anchor":null,"kind":"text"},"document":{"id":"ba5c7ff2bf84e05b9e25b32c901ee5ee0d4303b13fdca1e8442526a83af092fe","session_id":"2718fdc1-11f7-4846-a068-38e6493571e9","name":"bread.txt","label":"bread.txt","kind":"text","state":"ready","title":"","url":"","size":58,"pages":1,"pages_without_text":0,"pages_ocr":0,"chunks":1,"language":"en","progress":1.0,"seconds":2.658437928999774,"reason":"","cure":"","notices":[],"searched":true,"added_at":"2026-11-21T18:33:06.802495Z","ready_at":"2026-11-21T18:33:09.481522Z","attribution":"","source":"","published":"","expires_at":null},"dense":-0.021098613739013672,"dense_rank":3,"lexical":null,"lexical_rank":null,"fused":0.0,"fused_rank":3,"rerank":null,"rerank_rank":null,"rank":3,"query":"Who built the lighthouse of Port Amber?","context":"Sourdough bread is baked for forty minutes at 230 degrees.","context_start":0,"context_end":58,"dropped":"","other_places":[]}],"dropped":[],"steps":[{"name":"dense","detail":"old","seconds":0.008523139000317315,"count":3,"tokens":null},{"name":"lexical","detail":"BM25","seconds":0.0008661959982418921,"count":1,"tokens":null},{"name":"fuse","detail":"weighted, 0.6 dense; named: lighthouse.txt","seconds":0.004570559001876973,"count":3,"tokens":null},{"name":"join","detail":"neighbours on the page","seconds":0.0020889229999738745,"count":3,"tokens":null}],"notices":[],"sent":[{"text":"Who built the lighthouse of Port Amber?","where":"documents","why":"as typed","found":3,"kept":3,"seconds":0.016048817000410054}],"summary":""},"answerer":"extractive","usage":null,"notices":[],"seconds":0.022473960001661908,"complete":true,"prompt":""}','2026-11-21 18:33:10.784089');
CREATE TABLE owners (
	id VARCHAR(36) NOT NULL, 
	token_hash VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (token_hash)
);
INSERT INTO "owners" VALUES('5a755b68-b2f3-45d7-939c-828aa4c0ef70','729d7d638cef1b476c9ad1d5d275dc91fc253a026e0924d45b8995bcf828b01b','2026-11-21 18:33:06.582425');
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
INSERT INTO "schema_info" VALUES(4,0,0);
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
INSERT INTO "sessions" VALUES('2718fdc1-11f7-4846-a068-38e6493571e9','5a755b68-b2f3-45d7-939c-828aa4c0ef70','Facts','2026-11-21 18:33:06.597382','2026-11-21 18:33:10.825309',5,3,'{}','old','73fcd4185c1713df039c6c951ff149754c4224d707b423072828b464d27fc5da',64);
CREATE TABLE thumbs (
	"key" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	session_id VARCHAR(36) NOT NULL, 
	message_id INTEGER NOT NULL, 
	up BOOLEAN NOT NULL, 
	reason TEXT NOT NULL, 
	item TEXT NOT NULL, 
	UNIQUE (session_id, message_id), 
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE, 
	FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);
CREATE INDEX ix_sessions_owner_id ON sessions (owner_id);
CREATE INDEX documents_by_state ON documents (state, session_id, "key");
CREATE INDEX documents_by_name ON documents (session_id, name);
CREATE INDEX ix_conversations_session_id ON conversations (session_id);
CREATE INDEX ix_api_keys_session_id ON api_keys (session_id);
CREATE INDEX ix_api_keys_owner_id ON api_keys (owner_id);
CREATE INDEX ix_jobs_session_id ON jobs (session_id);
CREATE INDEX ix_collect_runs_session_id ON collect_runs (session_id);
CREATE INDEX ix_golden_sets_session_id ON golden_sets (session_id);
CREATE INDEX ix_evaluation_runs_session_id ON evaluation_runs (session_id);
CREATE INDEX ix_evaluation_runs_state ON evaluation_runs (state);
CREATE INDEX ix_messages_conversation_id ON messages (conversation_id);
CREATE INDEX ix_thumbs_session_id ON thumbs (session_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('documents',3);
INSERT INTO "sqlite_sequence" VALUES('messages',2);
COMMIT;
