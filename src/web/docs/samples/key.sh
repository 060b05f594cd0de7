: "${ITEMTAPE_API_KEY:?must hold your key}"
key=$(printf %s "$ITEMTAPE_API_KEY" | tr -d '\r\n')
case $key in
  '' | *[!A-Za-z0-9_-]*) echo "ITEMTAPE_API_KEY must hold your key and nothing else" >&2; exit 1 ;;
esac
# The key goes in by standard input: other users can read a command line.
