import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from '../Button.tsx'
import { body, dialog, footer as footerStyle, header, heading, modal, scrim } from './Dialog.css.ts'

export interface DialogProps {
  title: ReactNode
  aside?: ReactNode
  /** px; on a phone the window fills the screen (`fill`) or floats at the lower edge. */
  width: 360 | 480 | 520 | 880 | 920 | 960
  phone?: 'fill' | 'float'
  place?: 'top' | 'middle'
  role?: 'dialog' | 'alertdialog'
  closeLabel: string
  /** Called for Escape, the scrim and the cross. */
  onClose: () => void
  /** The scrim doesn’t close it (a form with typed text asks first). */
  sticky?: boolean
  /** Only its buttons close it. */
  lasting?: boolean
  bare?: boolean
  footer?: ReactNode
  children: ReactNode
}

/** A modal dialog. Traps the focus and restores it on close (behaviour P-04). */
export function Dialog({
  title,
  aside,
  width,
  phone = 'float',
  place = 'middle',
  role = 'dialog',
  closeLabel,
  onClose,
  sticky = false,
  lasting = false,
  bare = false,
  footer,
  children,
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(open) => open || onClose()}
      isDismissable={!sticky}
      isKeyboardDismissDisabled={lasting}
      className={scrim({ place, phone })}
    >
      <Modal className={modal} style={{ width }}>
        <AriaDialog role={role} className={dialog({ phone })}>
          <header className={header}>
            <Heading slot="title" level={1} className={heading}>
              {title}
            </Heading>
            {aside}
            <IconButton label={closeLabel} icon="x" onPress={onClose} />
          </header>
          {bare ? children : <div className={body}>{children}</div>}
          {footer && (
            <footer data-foot className={footerStyle}>
              {footer}
            </footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
