import type { Values } from '../define/index.ts'

/**
 * Sends a signal to processes that are named by PID and start time. A PID may belong to another process by now, so the start time is compared right
 * before. Words of the host are arguments, never part of the script.
 */
const script = `signal=$1
shift
status=0
for process; do
  pid=\${process%%@*}
  found= kernel=0
  case $pid in
  '' | 0* | *[!0-9]*) ;;
  *)
    if [ -r /proc/self/stat ]; then
      stat=$(cat "/proc/$pid/stat" 2>/dev/null)
      set -f -- \${stat##*) }
      found=\${20} kernel=$((\${7:-0} / 2097152 % 2))
    else
      set -f -- $(LC_ALL=C TZ=UTC ps -o lstart= -p "$pid" 2>/dev/null)
      found=$1_$2_$3_$4_$5
    fi
    ;;
  esac
  if [ -z "$found" ] || [ "$pid@$found" != "$process" ]; then
    printf 'process %s has ended\\n' "$pid"
    status=1
  elif [ "$kernel" = 1 ]; then
    echo "process $pid is a kernel thread"
    status=1
  else
    kill -s "$signal" "$pid" 2>&1 || status=1
  fi
done
exit $status`

export function signalCommand(action: string, names: readonly string[], args?: Values): readonly string[] | null {
  const sent = action === 'kill' ? 'KILL' : action === 'signal' ? String(args?.signal) : null
  return sent === null ? null : ['sh', '-c', script, 'sh', sent, ...names]
}
