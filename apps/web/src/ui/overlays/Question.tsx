import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { dialog, modal, scrim } from './Dialog.css.ts'
import * as css from './Question.css.ts'

/** A small window that asks one thing. Escape answers no; `data-asks` blocks the page’s keys and the palette. */
export function Question({
  title,
  text,
  onClose,
  footer,
  children,
}: {
  title: string
  text?: string | null
  onClose: () => void
  footer: ReactNode
  children?: ReactNode
}) {
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(open) => open || onClose()}
      isDismissable={false}
      className={scrim({ place: 'middle', phone: 'float' })}
    >
      <Modal className={modal} style={{ width: 480 }}>
        <Dialog role="alertdialog" className={dialog({ phone: 'float' })} data-asks="">
          <div className={css.body}>
            <div>
              <Heading slot="title" level={1}>
                {title}
              </Heading>
              {text && <p className={css.text}>{text}</p>}
            </div>
            {children}
          </div>
          <footer className={css.footer}>{footer}</footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

export function QuestionNote({ children }: { children?: ReactNode }) {
  return <span className={css.note}>{children}</span>
}
