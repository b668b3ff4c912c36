# podrail as an image: Node and the bundle, nothing else. Works as any user who is not root, on a root file system that is read-only.
#
#   docker build --tag podrail:0.1.0 .        (or podman build, buildah build)
#
# Another Node 24 to build with or to run on: --build-arg BUILD_IMAGE=… --build-arg RUN_IMAGE=…; npm's settings, where its registry
# needs some: --secret id=npmrc,src=.npmrc
ARG BUILD_IMAGE=node:24-slim
ARG RUN_IMAGE=node:24-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /podrail
# What is locked, in a layer of its own: it changes less often than the source. No install script is needed for a bundle.
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --ignore-scripts
COPY tools/build.ts tools/
COPY src src
RUN node tools/build.ts

FROM ${RUN_IMAGE}
WORKDIR /podrail
# Beside the bundle: the version, and the pages that `podrail rules ID` shows. All of it is root's, so podrail cannot change itself.
COPY package.json LICENSE ./
COPY docs/rules docs/rules
COPY --from=build /podrail/dist dist
# A number, or Kubernetes could not tell that it is not root (runAsNonRoot).
USER 65532:65532
EXPOSE 8443 8080
# Node is the first process and gets the signals; podrail answers them.
ENTRYPOINT ["node", "/podrail/dist/podrail.js"]
CMD ["serve"]
