# The image of firedrill: the program, statically linked, and nothing else.
# The tests of internal/stack take these steps without Docker.

FROM golang:1.26.8-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -ldflags='-s -w' -o firedrill ./cmd/firedrill
RUN mkdir configuration

FROM scratch
COPY --from=build /src/firedrill /usr/local/bin/firedrill
# A volume that is mounted here begins with this owner, so that the program can
# write the configuration of the other servers into it.
COPY --from=build --chown=65532:65532 /src/configuration /etc/firedrill
USER 65532:65532
EXPOSE 8080 9464
ENTRYPOINT ["/usr/local/bin/firedrill"]
CMD ["up", "--listen", ":9464", "--admin", ":8080"]
