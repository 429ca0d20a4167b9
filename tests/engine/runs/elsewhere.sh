#!/bin/sh
# Stands in for ssh: another directory, hardly an environment, and the rest of the line run by a shell there.
# usage: elsewhere.sh HOST FOLDER COMMAND...
host=$1
cd "$2" || exit 255
shift 2
exec env -i PATH="$PATH" HOME="$PWD" TMPDIR="$PWD" AURICLE_HOST="$host" sh -c "$*"
