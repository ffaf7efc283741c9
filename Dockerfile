# docs/operations.md, Containers. The packages are installed in a stage of their own, so that nothing
# which only installs is left.
FROM python:3.13-slim AS packages
COPY requirements.txt /tmp/requirements.txt
RUN python -m venv /opt/footnote \
    && /opt/footnote/bin/python -m pip install --no-cache-dir -r /tmp/requirements.txt \
    && /opt/footnote/bin/python -m pip uninstall --yes pip

FROM python:3.13-slim
RUN useradd --uid 1000 --create-home footnote \
    && install --directory --owner=footnote --group=footnote /data
COPY --from=packages /opt/footnote /opt/footnote
COPY . /app
WORKDIR /app
ENV PATH=/opt/footnote/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    BIND_ADDRESS=0.0.0.0 \
    PORT=8501 \
    DATA_DIR=/data/library \
    CHROMA_DIR=/data/vectors \
    MODELS_DIR=/data/models
USER 1000
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/api/health', timeout=5)"]
CMD ["python", "serve.py"]
