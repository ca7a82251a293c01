# Installs the Nezha agent as a service. The server writes the version, the address, and the checksums above this line.
#
# Environment: NZ_SERVER (HOST:PORT) and NZ_CLIENT_SECRET are needed; NZ_TLS (true or false), NZ_UUID (to be an existing server
# again), and QD_AGENT_DIR (where to install) are not.
set -eu

fail() {
  printf 'nezha-agent: %s\n' "$1" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

[ -n "${NZ_SERVER:-}" ] && [ -n "${NZ_CLIENT_SECRET:-}" ] || fail 'NZ_SERVER or NZ_CLIENT_SECRET is missing; nothing was changed'
[ "$(id -u)" = 0 ] || [ -n "${QD_AGENT_DIR:-}" ] || fail 'only root can install a service; run the command as root. Nothing was changed'
dir=${QD_AGENT_DIR:-/opt/nezha/agent}

case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  FreeBSD) os=freebsd ;;
  *) fail "no agent for $(uname -s); nothing was changed" ;;
esac

# MIPS calls both byte orders by one name; byte 5 of a program says which it is.
byte_order() { case $(dd if=/bin/sh bs=1 skip=5 count=1 2>/dev/null | tr '\001' L) in L) printf le ;; esac; }
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  i?86 | x86) arch=386 ;;
  aarch64 | arm64) arch=arm64 ;;
  arm*) arch=arm ;;
  mips | mipsel) arch=mips$(byte_order) ;;
  loongarch64) arch=loong64 ;;
  *) arch=$(uname -m) ;;
esac

name=nezha-agent_${os}_$arch.zip
sum=$(printf '%s\n' "$sums" | while read -r file known; do [ "$file" != "$name" ] || printf '%s' "$known"; done)
[ -n "$sum" ] || fail "version $version has no $name on this server; add it to the manifest. Nothing was changed"
if [ -z "$url" ]; then
  scheme=http
  [ "${NZ_TLS:-}" != true ] || scheme=https
  url=$scheme://$NZ_SERVER/agent/nezha
fi

sum_of() {
  if has sha256sum; then sha256sum <"$1"
  elif has shasum; then shasum -a 256 <"$1"
  elif has sha256; then sha256 -q <"$1"
  else openssl dgst -sha256 -r <"$1"
  fi | cut -d ' ' -f 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if has curl; then curl -fsSL "$url/$name" -o "$work/agent.zip"; else wget -qO "$work/agent.zip" "$url/$name"; fi ||
  fail "cannot download $url/$name; nothing was changed"
[ "$(sum_of "$work/agent.zip")" = "$sum" ] || fail "$url/$name has the wrong checksum; nothing was changed"
if has unzip; then unzip -qo "$work/agent.zip" nezha-agent -d "$work"; else tar -xf "$work/agent.zip" -C "$work" nezha-agent; fi ||
  fail 'cannot unpack the agent; install unzip and run this again. Nothing was changed'

mkdir -p "$dir"
chmod 755 "$work/nezha-agent"
mv -f "$work/nezha-agent" "$dir/nezha-agent"
# One program can report to several servers, with a file each.
config=$dir/config.yml
[ ! -e "$config" ] || config=$dir/config-$(date +%s).yml
"$dir/nezha-agent" service -c "$config" install || fail "cannot install the service; see $dir/nezha-agent service --help"
printf 'nezha-agent: version %s is running as a service, from %s; settings: %s\n' "$version" "$dir" "$config"
