import { Box, MantineProvider, VisuallyHidden } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch } from "wouter";

import { queries } from "./client";
import { Frame } from "./Frame";
import { useSession } from "./session";
import { contrasts, theme } from "./theme";
import { Toasts } from "./Toasts";
import { Failed } from "@/shared/Failed";
import { Waiting } from "@/shared/Waiting";

const Chat = lazy(() => import("@/screens/chat/Chat"));
const Conversation = lazy(() => import("@/screens/conversation/Conversation"));
const Memories = lazy(() => import("@/screens/memories/Memories"));
const Sees = lazy(() => import("@/screens/sees/Sees"));
const Data = lazy(() => import("@/screens/data/Data"));
const Settings = lazy(() => import("@/screens/settings/Settings"));
const Receipt = lazy(() => import("@/screens/receipt/Receipt"));
const SignIn = lazy(() => import("@/screens/sign-in/SignIn"));

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={contrasts} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Toasts />
        <Suspense fallback={<Waiting />}>
          <Switch>
            {/* A receipt outlives the account it is about: it needs nobody signed in. */}
            <Route path="/receipts/:id">{({ id }) => <Receipt id={id} />}</Route>
            <Route>
              <SignedIn />
            </Route>
          </Switch>
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function SignedIn() {
  const session = useSession();
  if (session.isPending) {
    return (
      <Alone>
        <Waiting />
      </Alone>
    );
  }
  if (session.isError) {
    return (
      <Alone>
        <Failed error={session.error} again={() => void session.refetch()} />
      </Alone>
    );
  }
  if (session.data === null) return <SignIn />;
  return (
    <Frame person={session.data.user_id}>
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/chat/:id?">{({ id }) => <Chat id={id} />}</Route>
          <Route path="/conversation/:id?">{({ id }) => <Conversation id={id} />}</Route>
          <Route path="/memories/:id?">{({ id }) => <Memories id={id} />}</Route>
          <Route path="/sees">
            <Sees />
          </Route>
          <Route path="/data/:section?">{({ section }) => <Data section={section} />}</Route>
          <Route path="/settings">
            <Settings />
          </Route>
          <Route>
            <Redirect to="/chat" replace />
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  );
}

/** A page before anybody knows who looks at it. */
function Alone({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Box component="main" maw={560} mx="auto" p="md">
      <VisuallyHidden component="h1">{t("product")}</VisuallyHidden>
      {children}
    </Box>
  );
}
