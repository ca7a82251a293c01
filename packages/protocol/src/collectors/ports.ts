/**
 * Prints the sockets that listen on a host: `ss` with the processes that the agent may see, else the tables of `/proc/net` without them.
 */
export const ports = `
if command -v ss >/dev/null; then
  echo '#@ ss'
  ss -lntup | tr -s ' ' | cut -c 1-2000 | head -c 900000
elif [ -r /proc/net/tcp ]; then
  echo '#@ proc'
  for table in tcp tcp6 udp udp6; do
    awk -v table="$table" 'FNR > 1 && ($4 == "0A" || $4 == "07") { print table, $2, $4 }' "/proc/net/$table"
  done
else
  echo '#@ unsupported'
fi
`
