/** What is told of a container of docker: one line of JSON, without the logs of its health checks and its environment. */
const inspected = [
  '{"id":{{json .Id}},"name":{{json .Name}},"image":{{json .Config.Image}},"status":{{json .State.Status}}',
  '"health":{{if .State.Health}}{{json .State.Health.Status}}{{else}}""{{end}},"exit":{{json .State.ExitCode}}',
  '"created":{{json .Created}},"started":{{json .State.StartedAt}},"finished":{{json .State.FinishedAt}}',
  '"restarts":{{json .RestartCount}},"ports":{{json .NetworkSettings.Ports}}',
  '"project":{{json (index .Config.Labels "com.docker.compose.project")}}',
  '"service":{{json (index .Config.Labels "com.docker.compose.service")}}}',
].join(',')

/**
 * Prints the containers of docker and podman: for each program that is there a section with its list, `NAME-error` instead if it fails, and
 * `NAME-stats`. Both are asked side by side, each with its stats beside its list: a daemon that hangs, and stats, which take two seconds,
 * leave the rest within the limit of a reading. A `docker` that is podman in disguise is asked once.
 */
export const containers = `
limit() {
  seconds=$1
  shift
  if command -v timeout >/dev/null 2>&1; then timeout -s KILL "$seconds" "$@"; else "$@"; fi
}
failed() {
  echo "#@ $1-error"
  case $2 in 124 | 137) echo 'timed out' ;; *) printf '%s\\n' "$3" | head -n 5 ;; esac
}
list_docker() {
  found=$(limit 4 docker ps --all --quiet --no-trunc 2>&1) || { failed docker $? "$found"; return; }
  found=$(printf '%s\\n' "$found" | grep -E '^[0-9a-f]{64}$' | limit 4 xargs docker inspect --format '${inspected}')
  printf '#@ docker\\n%s\\n' "$found"
}
list_podman() {
  found=$(limit 8 podman ps --all --format json 2>/dev/null) || { failed podman $? "$(limit 1 podman ps 2>&1)"; return; }
  printf '#@ podman\\n%s\\n' "$found"
}
stats() {
  found=$(limit 6 "$1" stats --no-stream --no-trunc --format "$2")
  printf '#@ %s-stats\\n%s\\n' "$1" "$found"
}
docker=$(command -v docker)
podman=$(command -v podman)
[ -n "$docker" ] && head -c 512 "$docker" | grep -q podman && docker=
[ -n "$docker$podman" ] || echo '#@ unsupported'
{ [ -z "$docker" ] || { stats docker '{{json .}}' | { list_docker; cat; }; }; } | {
  [ -z "$podman" ] || { stats podman json | { list_podman; cat; }; }
  cat
}
`
