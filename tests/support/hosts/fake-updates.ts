/** Programs of a host with two pending updates, by path: until `told` exists, which `apt-get` writes with what it was told, a security update too. */
export const fakeUpdates: Readonly<Record<string, string>> = {
  'bin/apt': `#!/bin/sh
echo 'vim/stable 9.1 amd64 [upgradable from: 9.0]'
[ -e told ] || echo 'openssl/stable-security 3.0.2 amd64 [upgradable from: 3.0.1]'
`,
  'bin/apt-config': '#!/bin/sh\n',
  'bin/dpkg': '#!/bin/sh\necho amd64\n',
  'bin/apt-get': '#!/bin/sh\necho "$*" >told\n',
}
