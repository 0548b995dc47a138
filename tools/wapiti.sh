#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the scanner that './run bars care --only scan' has attack the console, Wapiti (GPL-2.0; it only runs beside
# what it attacks), from PyPI into FOLDER (default .tools/wapiti): tools/wapiti.sh [FOLDER]. ZAP and Nuclei can't be had
# from a package registry.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

readonly VERSION=3.2.3
folder=${1:-.tools/wapiti}

if [[ $("$folder/bin/wapiti" --version 2>/dev/null | tail -n 1) != "$VERSION" ]]; then
  python3 -m venv "$folder" || { echo "wapiti: python3 makes no venv: install python3-venv" >&2; exit 1; }
  "$folder/bin/pip" install --quiet "wapiti3==$VERSION" || { echo "wapiti: PyPI gives no wapiti3 $VERSION" >&2; exit 1; }
fi
echo "wapiti: $folder/bin/wapiti $VERSION"
