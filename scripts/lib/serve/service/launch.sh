#!/bin/sh
# Miniflare runs this in place of the runtime (MINIFLARE_WORKERD_PATH). It starts the runtime with two changes:
# - Miniflare's own entry listens on a socket in a folder that only we may open, and not on a port of this machine;
# - Ctrl-C in a terminal and its end, which reach all processes there, do not end the runtime: the command does, in order.
trap '' INT HUP
for word; do
  shift
  case $word in
    --socket-addr=entry=*) word=--socket-addr=entry=unix:$PEYK_SOCKETS/entry ;;
  esac
  set -- "$@" "$word"
done
exec "$PEYK_WORKERD" "$@"
