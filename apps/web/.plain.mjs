import { build } from 'vite'
process.env.NODE_ENV='production'
process.chdir('/work/w17/apps/web')
const cfg = (await import('/work/w17/apps/web/vite.config.ts')).default
const c = await cfg({command:'build',mode:'production'})
await build({...c, root:'/work/w17/apps/web', configFile:false, logLevel:'error', build:{...c.build, minify:false, outDir:'/work/w17/apps/web/dist', emptyOutDir:true}})
