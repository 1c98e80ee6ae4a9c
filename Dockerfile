# Two stages: the first builds, the second holds what runs.
FROM node:22-alpine AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY LICENSE ./
COPY src ./src
COPY scripts ./scripts
COPY tools ./tools
COPY rest-shim ./rest-shim
COPY fixtures ./fixtures
COPY docs/images ./docs/images
RUN npm run build

FROM node:22-alpine
ENV NODE_ENV=production \
    TRANSFER_HTTP_HOST=0.0.0.0 \
    TRANSFER_HTTP_PORT=3000 \
    TRANSFER_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TRANSFER_HTTP_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["serve"]
