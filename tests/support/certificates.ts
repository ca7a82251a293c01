import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A key and the certificate that it signed itself, PEM. */
export interface Certificate {
  key: string
  cert: string
}

/** Makes a certificate for `127.0.0.1` and `localhost` that is good for so many days, or was good long ago; `name` is its issuer's common name. */
export function makeCertificate({ days, name }: { days: number | 'expired'; name: string }): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'qd-certificate-'))
  const path = (file: string) => join(folder, file)
  const openssl = (line: string) => execFileSync('openssl', line.split(' '), { stdio: 'ignore' })
  const asked = `-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${name} -keyout ${path('key')}`
  const names = '-addext subjectAltName=DNS:localhost,IP:127.0.0.1'
  try {
    if (days === 'expired') {
      writeFileSync(path('index'), '')
      writeFileSync(path('serial'), '01')
      writeFileSync(path('config'), authority(folder))
      openssl(`req -new ${asked} ${names} -out ${path('asked')}`)
      openssl(
        `ca -config ${path('config')} -selfsign -keyfile ${path('key')} -in ${path('asked')} -out ${path('cert')} -batch`,
      )
    } else openssl(`req -x509 ${asked} ${names} -days ${days} -out ${path('cert')}`)
    return { key: readFileSync(path('key'), 'utf8'), cert: readFileSync(path('cert'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What `openssl ca` wants to know; only it gives certificates of the past. */
const authority = (folder: string) => `[ca]
default_ca = own
[own]
database = ${folder}/index
serial = ${folder}/serial
new_certs_dir = ${folder}
default_md = sha256
default_startdate = 20250101000000Z
default_enddate = 20250201000000Z
policy = any
copy_extensions = copy
[any]
commonName = supplied
`
