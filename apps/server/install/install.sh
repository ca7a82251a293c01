#!/bin/sh
# Installs the Quarterdeck agent, brings an installed one up to date, puts it in the place of an existing agent of another
# make (argument "--take-over [FILE]", its settings), or removes it (argument "uninstall"), which starts the one that it
# replaced again.
#
# Environment: NZ_SERVER (HOST:PORT) and QD_CODE (of an install command) or NZ_CLIENT_SECRET are needed; NZ_TLS, NZ_INSECURE_TLS, QD_WATCH_ONLY (true or false), NZ_UUID (to
# be an existing server again), QD_AGENT_DIR (where to install) and QD_UNIT_DIR (where systemd's units are) are not. The secret is written to a file that only its
# owner reads; it is in no command line.
set -eu

say() { printf 'quarterdeck-agent: %s\n' "$1"; }
fail() {
  printf 'quarterdeck-agent: %s\n' "$1" >&2
  exit 1
}

is_root() { [ "$(id -u)" = 0 ]; }

folder() {
  if [ -n "${QD_AGENT_DIR:-}" ]; then
    printf '%s' "$QD_AGENT_DIR"
  elif is_root; then
    printf /opt/quarterdeck-agent
  elif [ -n "${HOME:-}" ]; then
    printf '%s/.quarterdeck-agent' "$HOME"
  else
    fail 'HOME is not set; set QD_AGENT_DIR to a folder. Nothing was changed'
  fi
}

# The first Node of the path that is new enough.
find_node() {
  IFS=:
  for part in $PATH; do
    [ -x "$part/node" ] || continue
    if "$part/node" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null; then
      printf '%s/node' "$part"
      return
    fi
  done
  fail 'Node 20.19 or later not found; install it (https://nodejs.org) and run this again. Nothing was changed'
}

# systemctl for the whole system, for this user, or nothing where systemd does not run.
service_manager() {
  command -v systemctl >/dev/null 2>&1 || return 0
  if is_root; then
    if [ -d /run/systemd/system ]; then printf 'systemctl'; fi
  elif systemctl --user show-environment >/dev/null 2>&1; then
    printf 'systemctl --user'
  fi
}

unit_file() {
  if [ -n "${QD_UNIT_DIR:-}" ]; then
    printf '%s/quarterdeck-agent.service' "$QD_UNIT_DIR"
  elif is_root; then
    printf /etc/systemd/system/quarterdeck-agent.service
  else
    printf '%s/systemd/user/quarterdeck-agent.service' "${XDG_CONFIG_HOME:-$HOME/.config}"
  fi
}

# The settings of the existing agent: the file that is named, or the only one where its own installer puts it.
existing_settings() {
  found=${1:-}
  if [ -n "$found" ]; then
    case $found in /*) ;; *) found=$PWD/$found ;; esac
    [ -f "$found" ] || fail "$found not found; nothing was changed"
  else
    for file in /opt/nezha/agent/config*.yml; do
      [ -f "$file" ] || continue
      [ -z "$found" ] || fail "several agents in /opt/nezha/agent; choose one, such as --take-over $found. Nothing was changed"
      found=$file
    done
    [ -n "$found" ] || fail 'no agent in /opt/nezha/agent; give its configuration with --take-over FILE. Nothing was changed'
  fi
  printf '%s' "$found"
}

# The service that runs with these settings.
existing_service() {
  for unit in "$(dirname "$(unit_file)")"/*.service; do
    [ -f "$unit" ] || continue
    if grep '^ExecStart=' "$unit" | grep -qF -- "$1" && [ "$unit" != "$(unit_file)" ]; then
      basename "$unit"
      return
    fi
  done
  fail "no systemd service uses $1; nothing was changed"
}

# Fetches the agent, holds it against its checksum, and only then writes anything. Reads the environment, prints the version.
download() {
  QD_DIR=$2 "$1" --input-type=module -e '
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"

const { env } = process
const isOn = (name) => /^(1|t|true)$/i.test(env[name] ?? "")
const origin = `${isOn("NZ_TLS") ? "https" : "http"}://${env.NZ_SERVER}`
let isChanged = false
const stop = (reason) => {
  process.stderr.write(`quarterdeck-agent: ${reason}${isChanged ? "" : "; nothing was changed"}\n`)
  process.exit(1)
}
process.on("uncaughtException", (error) => stop(error.message))
if (isOn("NZ_INSECURE_TLS")) env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
process.removeAllListeners("warning")
const get = async (path) => {
  const answer = await fetch(origin + path, { redirect: "error" })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}
const need = (path) =>
  get(path).catch((error) => stop(`cannot download ${origin}${path}: ${error.cause?.message ?? error.message}`))

const manifest = JSON.parse(await need("/agent/manifest.json"))
const bundle = await need("/agent/quarterdeck-agent.mjs")
const sum = createHash("sha256").update(bundle).digest("hex")
if (sum !== manifest.sha256 || bundle.length !== manifest.size) stop("the downloaded agent has the wrong checksum")
const terminal = await get(`/agent/node-pty-${process.platform}-${process.arch}.tgz`).catch(() => null)

// The settings of the agent that is replaced, which the new one reads.
const taken = async () => {
  if (!env.QD_TAKE_OVER) return {}
  const folder = await mkdtemp(`${tmpdir()}/quarterdeck-agent-`)
  await writeFile(`${folder}/agent.mjs`, bundle)
  const run = spawnSync(process.execPath, [`${folder}/agent.mjs`, "--import", env.QD_TAKE_OVER], { encoding: "utf8" })
  await rm(folder, { recursive: true })
  process.stderr.write(run.stderr)
  if (run.status !== 0) stop(`cannot use the configuration in ${env.QD_TAKE_OVER}`)
  return JSON.parse(run.stdout)
}

const file = `${env.QD_DIR}/agent.json`
const known = { ...(await readFile(file, "utf8").then(JSON.parse, () => ({}))), ...(await taken()) }
if (!env.QD_CODE && !env.NZ_CLIENT_SECRET && !known.client_secret) stop("QD_CODE is missing (or NZ_CLIENT_SECRET)")
// With a code the agent makes a secret of its own, which the server takes with its first report.
const credential = env.QD_CODE ? { enrollment_code: env.QD_CODE } : { client_secret: env.NZ_CLIENT_SECRET || known.client_secret }
for (const key of ["client_secret", "enrollment_code", "update_key"]) delete known[key]
const flags = ["insecure_tls", "disable_auto_update", "disable_force_update", "disable_command_execute", "skip_connection_count"]
const settings = {
  ...known,
  server: env.NZ_SERVER,
  ...credential,
  tls: isOn("NZ_TLS"),
  ...(isOn("QD_WATCH_ONLY") ? { watch_only: true } : {}),
  ...(env.NZ_UUID ? { uuid: env.NZ_UUID } : {}),
  ...Object.fromEntries(flags.filter((key) => env[`NZ_${key.toUpperCase()}`]).map((key) => [key, isOn(`NZ_${key.toUpperCase()}`)])),
}
isChanged = true
await mkdir(env.QD_DIR, { recursive: true })
await chmod(env.QD_DIR, 0o700)
const put = async (path, content, mode) => {
  await writeFile(`${path}.new`, content, { mode })
  await chmod(`${path}.new`, mode)
  await rename(`${path}.new`, path)
}
await put(`${env.QD_DIR}/quarterdeck-agent.mjs`, bundle, 0o644)
await put(file, `${JSON.stringify(settings, null, 2)}\n`, 0o600)
if (terminal) spawnSync("tar", ["-xzf", "-", "-C", env.QD_DIR], { input: terminal })
process.stdout.write(manifest.version)
'
}

# Ends what an earlier run has started without systemd.
stop_background() {
  [ -f "$1/agent.pid" ] || return 0
  pid=$(cat "$1/agent.pid")
  rm -f "$1/agent.pid"
  case $(ps -p "$pid" -o args= 2>/dev/null || tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null || true) in
    *quarterdeck-agent.mjs*) ;;
    *) return 0 ;;
  esac
  kill "$pid" 2>/dev/null || return 0
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 1
  done
  kill -9 "$pid" 2>/dev/null || true
}

# Ends an updated agent that does not connect, and puts the one before back. systemd calls it after each start and end.
write_trial() {
  cat >"$1" <<'TRIAL'
#!/bin/sh
# Usage: update-trial.sh started|stopped PROGRAM. A trial lasts while PROGRAM.update is there: an agent that is connected removes it.
program=$2
on_trial() { [ -f "$program.update" ] && [ -f "$program.previous" ]; }
version() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$program.update"; }

case $1 in
  started)
    rm -f "$program.failed"
    limit=60
    left=$limit
    while on_trial; do
      if [ "$left" = 0 ]; then
        echo "did not connect within $limit s" >"$program.failed"
        exit 1
      fi
      # An agent that ends without a request to stop has failed, whatever its code.
      kill -0 "$MAINPID" 2>/dev/null || { : >"$program.failed" && exit 1; }
      left=$((left - 1))
      sleep 1
    done
    ;;
  stopped)
    on_trial || exit 0
    if [ ! -f "$program.failed" ]; then
      # Stopped on request, or the version before, which has just put the new one in its place.
      # systemd before 232 doesn't say how it ended: what fails is found when it has been started again.
      [ -n "${EXIT_CODE:-}" ] || exit 0
      case "$EXIT_CODE $EXIT_STATUS" in 'exited 0' | 'exited 75' | 'killed TERM') exit 0 ;; esac
    fi
    reason=$(cat "$program.failed" 2>/dev/null || true)
    rm -f "$program.failed"
    if [ -n "$reason" ]; then :
    elif [ -z "${EXIT_CODE:-}" ]; then reason="exited"
    elif [ "$EXIT_CODE" = exited ]; then reason="exited with code $EXIT_STATUS"
    else reason="was terminated by SIG$EXIT_STATUS"
    fi
    from=$(version from)
    failure="$(version to) $reason; $from is running again"
    mv -f "$program.previous" "$program"
    sed "s/}\$/,\"failure\":\"$failure\"}/" "$program.update" >"$program.update.new" && mv -f "$program.update.new" "$program.update"
    echo "quarterdeck-agent: the new agent $reason; back to $from" >&2
    ;;
esac
TRIAL
}

# Flags of Node that save memory: those of apps/agent/node-flags.json.
flags='--no-opt'

# A word of a unit's command line.
unit_word() { printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g; s/%/%%/g; s/\$/$$/g')"; }

# systemd starts the agent again; a supervisor of our own would take the memory of a second process.
write_unit() {
  mkdir -p "$(dirname "$1")"
  write_trial "$3/update-trial.sh"
  program=$(unit_word "$3/quarterdeck-agent.mjs")
  trial="/bin/sh $(unit_word "$3/update-trial.sh")"
  cat >"$1" <<UNIT
[Unit]
Description=Quarterdeck agent
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStart=$(unit_word "$2") $flags $program --service --config $(unit_word "$3/agent.json")
ExecStartPost=$trial started $program
ExecStopPost=$trial stopped $program
WorkingDirectory=$(printf '%s' "$3" | sed 's/%/%%/g')
TimeoutStartSec=90
TimeoutStopSec=10
Restart=always
RestartSec=3

[Install]
WantedBy=$4
UNIT
}

start_service() {
  unit=$(unit_file)
  if is_root; then
    write_unit "$unit" "$2" "$3" multi-user.target
  else
    write_unit "$unit" "$2" "$3" default.target
    loginctl enable-linger >/dev/null 2>&1 || true
  fi
  { $1 daemon-reload && $1 enable quarterdeck-agent.service 2>/dev/null && $1 restart quarterdeck-agent.service; } ||
    fail "failed to start the service; see $1 status quarterdeck-agent"
}

start_background() {
  cat >"$2/start.sh" <<START
#!/bin/sh
# Starts the agent in the background, where no systemd does it.
cd '$2' || exit 1
nohup '$1' $flags '$2/quarterdeck-agent.mjs' --supervise --config '$2/agent.json' >>agent.log 2>&1 </dev/null &
echo \$! >agent.pid
START
  chmod 700 "$2/start.sh"
  "$2/start.sh"
  sleep 1
  kill -0 "$(cat "$2/agent.pid")" 2>/dev/null || fail "the agent exited immediately; see $2/agent.log"
}

# Stops the service $2 and starts ours in its place; where that fails, $2 runs again.
replace_service() {
  printf '%s\n' "$2" >"$4/took-over"
  $1 disable --now "$2" >/dev/null 2>&1 || fail "failed to stop the service $2; it is still running"
  if (start_service "$1" "$3" "$4") && sleep 2 && $1 is-active --quiet quarterdeck-agent.service; then return; fi
  $1 disable --now quarterdeck-agent.service >/dev/null 2>&1 || true
  give_back "$1" "$4"
  fail 'the new agent did not keep running'
}

# Starts the service again that ours has replaced.
give_back() {
  [ -f "$2/took-over" ] || return 0
  old=$(cat "$2/took-over")
  rm -f "$2/took-over"
  if $1 enable --now "$old" >/dev/null 2>&1; then
    say "the service $old is running again"
  else
    say "failed to start the service $old; see $1 status $old"
  fi
}

uninstall() {
  dir=$(folder)
  [ -f "$dir/quarterdeck-agent.mjs" ] || fail "no agent is installed in $dir"
  manager=$(service_manager)
  if [ -n "$manager" ] && [ -f "$(unit_file)" ]; then
    $manager disable --now quarterdeck-agent.service >/dev/null 2>&1 || true
    rm -f "$(unit_file)"
    $manager daemon-reload
    give_back "$manager" "$dir"
  fi
  stop_background "$dir"
  rm -rf "$dir"
  say "removed from $dir"
}

main() {
  case ${1:-install} in
    install) ;;
    uninstall)
      uninstall
      return
      ;;
    --take-over) ;;
    *) fail "unknown argument: $1; available: --take-over, uninstall" ;;
  esac
  [ -n "${NZ_SERVER:-}" ] || fail 'NZ_SERVER=HOST:PORT is missing; nothing was changed'
  node=$(find_node)
  dir=$(folder)
  manager=$(service_manager)
  old=
  if [ "${1:-}" = --take-over ]; then
    [ -n "$manager" ] || fail 'systemd is not running here, and only its services can be taken over; nothing was changed'
    QD_TAKE_OVER=$(existing_settings "${2:-}") || exit 1
    old=$(existing_service "$QD_TAKE_OVER") || exit 1
    export QD_TAKE_OVER
  fi
  version=$(download "$node" "$dir") || exit 1
  # What stands in the file counts from here on, also for the agent's own restarts.
  unset NZ_SERVER QD_CODE QD_WATCH_ONLY NZ_CLIENT_SECRET NZ_TLS NZ_INSECURE_TLS NZ_UUID NZ_DISABLE_AUTO_UPDATE NZ_DISABLE_FORCE_UPDATE \
    NZ_DISABLE_COMMAND_EXECUTE NZ_SKIP_CONNECTION_COUNT QD_AGENT_DIR QD_TAKE_OVER
  stop_background "$dir"
  # What was just installed is no update on trial.
  rm -f "$dir/quarterdeck-agent.mjs.update"
  if [ -n "$old" ]; then
    replace_service "$manager" "$old" "$node" "$dir"
    say "version $version is running as the service quarterdeck-agent and replaces $old; \"uninstall\" restores it"
  elif [ -n "$manager" ]; then
    start_service "$manager" "$node" "$dir"
    say "version $version is running as the service quarterdeck-agent, from $dir"
  else
    start_background "$node" "$dir"
    say "version $version is running in the background, from $dir; log: $dir/agent.log; to start it at boot, run $dir/start.sh"
  fi
}

main "$@"
