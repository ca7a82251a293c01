const row = (name: string, status: string, health = '') =>
  JSON.stringify({ id: name, name: `/${name}`, status, health })

/** Programs of a made-up host, by path: its docker has an unhealthy container and one that ended, its podman another. */
export const fakeContainers: Readonly<Record<string, string>> = {
  'bin/docker': `#!/bin/sh
case "$1" in
ps) printf '%064d\\n' 1 ;;
inspect)
  echo '${row('app', 'running', 'unhealthy')}'
  echo '${row('migrate', 'exited')}'
  ;;
esac
`,
  'bin/podman': `#!/bin/sh
[ "$1" != ps ] || echo '[{"Id":"w","Names":["worker"],"State":"running"}]'
`,
}
