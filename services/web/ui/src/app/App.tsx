import { Box, MantineProvider, VisuallyHidden } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch, useLocation } from "wouter";

import { queries } from "./client";
import { ConsentGate } from "./ConsentGate";
import { Frame } from "./Frame";
import { RootBroken } from "./RootBroken";
import { declineLink, useOfferedLink, useSession } from "./session";
import { contrasts, theme } from "./theme";
import { Toasts } from "./Toasts";
import { Memories } from "@/screens/memories/Memories";
import { Boundary } from "@/shared/Boundary";
import { Broken } from "@/shared/Broken";
import { Failed } from "@/shared/Failed";
import { Forgetting } from "@/shared/forgetting/Forgetting";
import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";
import { Waiting } from "@/shared/Waiting";

const Chat = part(async () => ({ default: (await import("@/screens/chat/Chat")).Chat }));
const Conversation = part(async () => ({ default: (await import("@/later")).Conversation }));
const Documents = part(async () => ({ default: (await import("@/later")).Documents }));
const Traits = part(async () => ({ default: (await import("@/later")).Traits }));
const Sees = part(async () => ({ default: (await import("@/later")).Sees }));
const Data = part(async () => ({ default: (await import("@/later")).Data }));
const Settings = part(async () => ({ default: (await import("@/later")).Settings }));
const Receipt = part(async () => ({ default: (await import("@/later")).Receipt }));
const OfferedLink = part(async () => ({ default: (await import("@/later")).OfferedLink }));
const SignIn = part(async () => ({ default: (await import("@/later")).SignIn }));

export function App() {
  return (
    <Boundary broken={() => <RootBroken />}>
      <MantineProvider theme={theme} cssVariablesResolver={contrasts} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <Toasts />
          <Switch>
            {/* A receipt outlives the account it is about: it needs nobody signed in. */}
            <Route path="/receipts/:id">
              {({ id }) => (
                <Alone>
                  <Receipt id={id} />
                </Alone>
              )}
            </Route>
            <Route>
              <SignedIn />
            </Route>
          </Switch>
        </QueryClientProvider>
      </MantineProvider>
    </Boundary>
  );
}

function SignedIn() {
  const session = useSession();
  const offered = useOfferedLink();
  if (session.isPending)
    return (
      <Page>
        <Waiting />
      </Page>
    );
  if (session.isError) {
    return (
      <Page>
        <Failed error={session.error} again={() => void session.refetch()} />
      </Page>
    );
  }
  if (session.data === null) {
    return (
      <Alone>
        <SignIn />
      </Alone>
    );
  }
  const person = session.data.user_id;
  return (
    <Forgetting key={person}>
      <Frame person={person}>
        {offered !== null && (
          <OnDemand onFailed={() => declineLink(queries)}>
            <OfferedLink person={person} token={offered} />
          </OnDemand>
        )}
        <ConsentGate person={person} />
        <Screens />
      </Frame>
    </Forgetting>
  );
}

/** Begin every screen at its top; going back comes back to where one was, as the browser does it. */
function useTopOfScreen(location: string): void {
  const goesBack = useRef(false);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const back = () => (goesBack.current = true);
    addEventListener("popstate", back, true); // before the router hears of it
    return () => removeEventListener("popstate", back, true);
  }, []);
  useEffect(() => {
    const screen = location.split("/")[1] ?? "";
    if (screen !== shown.current && !goesBack.current) scrollTo(0, 0);
    shown.current = screen;
    goesBack.current = false;
  }, [location]);
}

/** The screen of the address. When it fails, the frame stays, and every other screen can be gone to. */
function Screens() {
  const [location] = useLocation();
  useTopOfScreen(location);
  return (
    <Boundary place={location} broken={(failure) => <Broken {...failure} />}>
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/chat/:id?">{({ id }) => <Chat id={id} />}</Route>
          <Route path="/conversation/:id?">{({ id }) => <Conversation id={id} />}</Route>
          <Route path="/memories/documents">
            <Documents />
          </Route>
          <Route path="/memories/traits/:id?">{({ id }) => <Traits id={id} />}</Route>
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
    </Boundary>
  );
}

/** A screen without the frame: it needs nobody signed in. */
function Alone({ children }: { children: ReactNode }) {
  return (
    <Boundary
      broken={(failure) => (
        <Page>
          <Broken {...failure} />
        </Page>
      )}
    >
      <Suspense
        fallback={
          <Page>
            <Waiting />
          </Page>
        }
      >
        {children}
      </Suspense>
    </Boundary>
  );
}

/** A page before anybody knows who looks at it. */
function Page({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Box component="main" maw={560} mx="auto" p="md">
      <VisuallyHidden component="h1">{t("product")}</VisuallyHidden>
      {children}
    </Box>
  );
}
