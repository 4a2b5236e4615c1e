# The proxy with its routes. Copied, not mounted: a file checked out under umask 077 cannot be read through a mount.
FROM caddy:2.10-alpine
COPY deploy/docker/Caddyfile /etc/caddy/Caddyfile
