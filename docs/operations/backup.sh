#!/bin/sh
# backup.sh save FILE copies what the server keeps into a file, beside running processes.
# backup.sh restore FILE copies it back into an empty place, while none runs.
# Either reads TRANSFER_DATABASE_URL or, without it, TRANSFER_DATA_DIR, as the server does.
set -eu
umask 077
if [ $# -ne 2 ]; then
  sed -n '2,4s/^# //p' "$0" >&2
  exit 2
fi

if [ -n "${TRANSFER_DATABASE_URL:-}" ]; then
  case $1 in
    save) pg_dump --format=custom --no-owner --no-privileges --table='transfer_*' --file="$2" "$TRANSFER_DATABASE_URL" ;;
    restore) pg_restore --single-transaction --no-owner --no-privileges --dbname="$TRANSFER_DATABASE_URL" "$2" ;;
    *) exit 2 ;;
  esac
  exit
fi

folder=${TRANSFER_DATA_DIR:?is not set}
case $1 in
  save)
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    # A file that the server deletes meanwhile fails the copy: its sales have moved to another one.
    for attempt in 1 2 3; do
      rm -rf "$copy/data"
      if cp -Rp "$folder" "$copy/data"; then break; fi
      [ "$attempt" -lt 3 ]
    done
    find "$copy/data" \( -type s -o -name 'lock-*.json' \) -delete
    tar -czf "$2" -C "$copy/data" .
    ;;
  restore)
    mkdir -p "$folder"
    if [ -n "$(ls -A "$folder")" ]; then
      echo "$folder is not empty" >&2
      exit 1
    fi
    tar -xzf "$2" -C "$folder"
    ;;
  *) exit 2 ;;
esac
