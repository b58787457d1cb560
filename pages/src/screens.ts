import type { PathName } from './navigation/paths.ts'

/** A screen: the element that shows it, in a file of its own that is loaded when it is gone to. */
export interface ScreenModule {
  /** The custom element, a `Screen`. */
  readonly element: string
  readonly load: () => Promise<unknown>
  /** Shown to those who are not signed in too. */
  readonly isPublic?: boolean
}

export const screens: Partial<Record<PathName, ScreenModule>> = {
  home: { element: 'cartulary-home', load: () => import('./home/home.ts'), isPublic: true },
  organizationSchema: { element: 'cartulary-editor', load: () => import('./editor/editor.ts') },
  groupSchema: { element: 'cartulary-editor', load: () => import('./editor/editor.ts') },
  collaborations: { element: 'cartulary-collaborations', load: () => import('./collaborations/collaborations.ts') },
  newCollaboration: {
    element: 'cartulary-new-collaboration',
    load: () => import('./collaborations/new-collaboration.ts'),
  },
  collaboration: { element: 'cartulary-collaboration', load: () => import('./collaborations/collaboration.ts') },
  newInvitation: { element: 'cartulary-new-invitation', load: () => import('./collaborations/new-invitation.ts') },
  invitation: { element: 'cartulary-invitation', load: () => import('./collaborations/invitation.ts') },
}
