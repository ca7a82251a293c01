import { qrLines } from '@qd/core/view'
import { Box } from 'ink'
import { useArea } from '../../screen/hooks/use-area.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { Words } from '../../screen/ui/Words.tsx'

/** Shows a text as a QR code over the whole screen, without a frame: at 80x24 every line counts. Enter and Escape go on. */
export function showScan(ui: Ui, { text, about }: { text: string; about: string }): void {
  const { t } = ui.workspace.translator
  const overlay: Overlay = {
    layer: 'confirm',
    isTyping: () => false,
    command: () => false,
    closed: () => undefined,
    hints: () => [{ chord: 'Enter', label: t('ui.tui.hints.next') }],
    input(event) {
      if (event.type === 'key' && (event.chord === 'Enter' || event.chord === 'Escape')) ui.close(overlay)
    },
    spoken: () => [about],
    view: () => <Scan rows={qrLines(text)} about={about} />,
  }
  ui.open(overlay)
}

function Scan({ rows: code, about }: { rows: readonly string[]; about: string }) {
  const { columns, rows } = useArea()
  const width = code[0]?.length ?? 0
  if (code.length > rows || width > columns) return <Words>{` ${about}`}</Words>
  return (
    <Box flexDirection="column" flexShrink={0} marginLeft={Math.floor((columns - width) / 2)}>
      {code.map((row, at) => (
        <Words key={at}>{row}</Words>
      ))}
    </Box>
  )
}
