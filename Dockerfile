# The server with its console, and qd:  docker build -t quarterdeck . && docker run -p 8008:8008 -v quarterdeck:/data quarterdeck
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
# SQLite is compiled where no ready module can be fetched.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ ca-certificates binutils
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY apps/agent/package.json apps/agent/
COPY apps/server/package.json apps/server/
COPY apps/tui/package.json apps/tui/
COPY apps/web/package.json apps/web/
COPY packages/core/package.json packages/core/
COPY packages/protocol/package.json packages/protocol/
COPY tests/package.json tests/
RUN npm ci --nodedir=/usr/local
COPY . .
RUN node scripts/image.mjs /out && strip -o /usr/local/bin/node-small "$(command -v node)"

FROM ${BASE_IMAGE}
RUN useradd --system --uid 8008 --home-dir /data --shell /usr/sbin/nologin quarterdeck \
 && install -d -o quarterdeck -g quarterdeck -m 700 /data
COPY --from=build /usr/local/bin/node-small /usr/local/bin/node
COPY --from=build /out /opt/quarterdeck
RUN ln -s /opt/quarterdeck/bin/quarterdeck.js /usr/local/bin/quarterdeck \
 && ln -s /opt/quarterdeck/apps/tui/bin/qd.js /usr/local/bin/qd
ENV QD_HOST=0.0.0.0 QD_PORT=8008 QD_DATA=/data QD_NO_AGENT=1
USER quarterdeck
WORKDIR /data
VOLUME /data
EXPOSE 8008
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
 CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.QD_PORT+'/healthz').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["quarterdeck"]
