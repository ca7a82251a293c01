import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { AppError } from '@qd/core/errors'
import { agentPaths } from '@qd/protocol/agent-update'
import { Hono } from 'hono'
import type { AgentFiles } from '../../fleet/install/agent-files.ts'
import type { NezhaRelease } from '../../fleet/install/nezha-release.ts'
import { commonHeaders } from '../../kernel/net/headers.ts'
import type { HttpEnv } from '../http/request.ts'

interface InstallFiles {
  files: AgentFiles
  installers: string
  nezha: NezhaRelease
}

export function createInstallRoutes({ files, installers, nezha }: InstallFiles): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  for (const name of ['install.sh', 'install.ps1']) {
    app.get(`/${name}`, async () => plain(await readFile(join(installers, name), 'utf8')))
  }
  for (const name of ['nezha-agent.sh', 'nezha-agent.ps1'] as const) {
    app.get(`/${name}`, async () => {
      const script = await nezha.script(name).catch((error: unknown) => {
        if (error instanceof AppError) return null
        throw error
      })
      return script ? plain(script.text) : plain('This server pins no version of the Nezha agent.\n', 404)
    })
  }
  app.get('/agent/nezha/:file', async (context) => {
    const file = await nezha.file(context.req.param('file'))
    if (file === null) return plain('This server has no such file.\n', 404)
    const headers = { 'Content-Type': 'application/zip', 'Content-Length': String(file.size) }
    // A HEAD runs this handler too, and nothing reads or closes its body.
    if (context.req.method === 'HEAD') return answer(null, headers)
    return answer(Readable.toWeb(file.open()) as ReadableStream<Uint8Array<ArrayBuffer>>, headers)
  })
  app.get(agentPaths.manifest, async () => {
    const bundle = await files.bundle()
    return bundle ? answer(JSON.stringify(bundle.manifest), { 'Content-Type': 'application/json' }) : notBuilt()
  })
  app.get(agentPaths.bundle, async (context) => {
    const bundle = await files.bundle()
    if (!bundle) return notBuilt()
    const { sha256 } = bundle.manifest
    const wanted = context.req.query('sha256')
    if (wanted !== undefined && wanted !== sha256) return plain('This server has a different agent now.\n', 404)
    const caching = wanted === undefined ? 'no-cache' : 'public, max-age=31536000, immutable'
    const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': caching, ETag: `"${sha256}"` }
    if (context.req.header('If-None-Match') === headers.ETag) return answer(null, headers, 304)
    return answer(bundle.bytes, headers)
  })
  app.get('/agent/:archive{node-pty-[a-z0-9]+-[a-z0-9]+\\.tgz}', async (context) => {
    const platform = /^node-pty-(.+)\.tgz$/.exec(context.req.param('archive'))![1]!
    const archive = await files.terminalModule(platform)
    return archive ? answer(archive, { 'Content-Type': 'application/gzip' }) : plain('Not for this platform.\n', 404)
  })
  return app
}

function answer(
  body: string | Buffer | ReadableStream<Uint8Array<ArrayBuffer>> | null,
  headers: Record<string, string>,
  status = 200,
): Response {
  return new Response(body as Exclude<typeof body, Buffer> | Uint8Array<ArrayBuffer>, {
    status,
    headers: { 'Cache-Control': 'no-cache', ...commonHeaders, ...headers },
  })
}

const plain = (text: string, status = 200) => answer(text, { 'Content-Type': 'text/plain; charset=utf-8' }, status)
const notBuilt = () => plain('The agent is not built yet. Run: npm run build\n', 503)
