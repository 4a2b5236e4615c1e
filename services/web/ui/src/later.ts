// What the first screens do not need: one file, fetched as soon as they are there, so that they do not wait for it.

export { Citation } from "@/screens/chat/Citation";
export { ConversationsDrawer } from "@/screens/chat/ConversationsDrawer";
export { Derived } from "@/screens/chat/Derived";
export { Conversation } from "@/screens/conversation/Conversation";
export { Data } from "@/screens/data/Data";
export { OperationDetails } from "@/screens/data/OperationDetails";
export { MoveDialog } from "@/screens/memories/MoveDialog";
export { NarrowingDrawer } from "@/screens/memories/NarrowingDrawer";
export { Documents } from "@/screens/memories/documents/Documents";
export { Traits } from "@/screens/memories/traits/Traits";
export { Why } from "@/screens/memories/why/Why";
export { Receipt } from "@/screens/receipt/Receipt";
export { Sees } from "@/screens/sees/Sees";
export { Settings } from "@/screens/settings/Settings";
export { OfferedLink } from "@/screens/sign-in/OfferedLink";
export { SignIn } from "@/screens/sign-in/SignIn";
export { ConsentDialog } from "@/shared/consent/ConsentDialog";
export { ConfirmExport } from "@/shared/exporting/ConfirmExport";
export { ConsequencesDialog } from "@/shared/forgetting/ConsequencesDialog";
export { MemoryDialog } from "@/shared/memories/MemoryDialog";
export { OpenMenu } from "@/shared/OpenMenu";
