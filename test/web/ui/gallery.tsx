import { type ReactNode, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { Badge } from "../../../web/ui/Badge.tsx";
import { Button } from "../../../web/ui/Button.tsx";
import { ButtonLink } from "../../../web/ui/ButtonLink.tsx";
import { CopyableText, CopyButton } from "../../../web/ui/CopyableText.tsx";
import { Banner } from "../../../web/ui/feedback/Banner.tsx";
import { EmptyState } from "../../../web/ui/feedback/EmptyState.tsx";
import { ProgressBar, UsageBar } from "../../../web/ui/feedback/ProgressBar.tsx";
import { Skeleton, SkeletonRegion } from "../../../web/ui/feedback/Skeleton.tsx";
import { Checkbox } from "../../../web/ui/form/Checkbox.tsx";
import { ChipGroup } from "../../../web/ui/form/ChipGroup.tsx";
import { CodeField } from "../../../web/ui/form/CodeField.tsx";
import { SearchField } from "../../../web/ui/form/SearchField.tsx";
import { Select } from "../../../web/ui/form/Select.tsx";
import { Switch } from "../../../web/ui/form/Switch.tsx";
import { TextField } from "../../../web/ui/form/TextField.tsx";
import { IconButton } from "../../../web/ui/IconButton.tsx";
import { BriefcaseIcon } from "../../../web/ui/icons/BriefcaseIcon.tsx";
import { ClockIcon } from "../../../web/ui/icons/ClockIcon.tsx";
import { Logo } from "../../../web/ui/icons/Logo.tsx";
import { MailIcon } from "../../../web/ui/icons/MailIcon.tsx";
import { PlaneIcon } from "../../../web/ui/icons/PlaneIcon.tsx";
import { PlusIcon } from "../../../web/ui/icons/PlusIcon.tsx";
import { Card } from "../../../web/ui/layout/Card.tsx";
import { NavBar } from "../../../web/ui/NavBar.tsx";
import { ConfirmDialog } from "../../../web/ui/overlay/ConfirmDialog.tsx";
import { Dialog } from "../../../web/ui/overlay/Dialog.tsx";
import { Menu } from "../../../web/ui/overlay/Menu.tsx";
import { ToastRegion } from "../../../web/ui/overlay/ToastRegion.tsx";
import { Pagination } from "../../../web/ui/Pagination.tsx";
import { Stat, StatList } from "../../../web/ui/Stat.tsx";

// Every component once, in the states that differ in color, for tests in a real browser.

const links = ["Masks", "Rules", "Insights", "Settings", "Account"].map((label) => ({
  id: label,
  label,
  href: `#${label}`,
  icon: <MailIcon />,
  badge: { count: label === "Insights" ? 3 : 0, label: "new" },
}));

const address = "amber.lynx.482@masks.example.org";

const Fields = () => {
  const [text, setText] = useState("");
  const [isOn, setOn] = useState(true);
  return (
    <>
      <TextField label="Description" value={text} onChange={setText} placeholder="What is it for?" />
      <TextField
        label="Prefix"
        value="shop"
        onChange={setText}
        maxLength={16}
        showsCount
        suffix="@masks.example.org"
      />
      <TextField label="Forward to" value="x" onChange={setText} error="Please enter a valid email address" />
      <TextField label="Address" value={address} isMonospace />
      <TextField label="Not in this plan" value="" onChange={setText} isDisabled />
      <CodeField length={6} label="Code" value="407" onChange={setText} description="Valid for 10 minutes." />
      <SearchField label="Search masks" value="shop" onChange={setText} />
      <Checkbox label="I accept" isChecked={isOn} onChange={setOn} description="You can take this back." />
      <Switch label="Spam filter" isOn={isOn} onChange={setOn} description="Refuses spam." />
      <Switch label="Report" isOn={false} onChange={setOn} />
      <Select
        label="Mask"
        value={text === "" ? undefined : text}
        onChange={setText}
        options={[
          { value: "shop", label: "Shopping", description: address },
          { value: "news", label: "Newsletters" },
        ]}
      />
    </>
  );
};

const Notices = () => (
  <>
    <Banner onDismiss={() => {}}>Using cached mask data. Refresh when online.</Banner>
    <Banner kind="success">Successfully synced rules for 2 mask(s)</Banner>
    <Banner kind="warning" action={<Button size="small">Sync Now</Button>}>
      2 mask(s) with 5 rule(s) pending sync
    </Banner>
    <Banner kind="error">Server error</Banner>
    <p>
      <Badge>Free</Badge> <Badge kind="accent">PRO</Badge> <Badge kind="success">Connected</Badge>{" "}
      <Badge kind="warning" icon={<ClockIcon size={14} />}>
        Awaiting confirmation
      </Badge>{" "}
      <Badge kind="danger">Offline</Badge>
    </p>
    <EmptyState title="Nothing here" action={<Button variant="primary">Create</Button>}>
      Create one.
    </EmptyState>
    <SkeletonRegion label="Loading">
      <Skeleton width="12ch" />
    </SkeletonRegion>
    <UsageBar label="Masks" used={9} limit={10} unit="masks" />
    <ProgressBar label="Generating keys" value={45} />
  </>
);

const MaskCard = ({ children }: { readonly children: ReactNode }) => (
  <Card as="article" aria-label="Shopping">
    {children}
    <CopyableText text={address} onCopy={() => {}} isCopied={false} size="large" />
    <StatList>
      <Stat label="Received" value={1284} />
      <Stat label="Forwarded" value={1201} />
      <Stat label="Blocked" value={83} />
      <Stat label="Replied" value={undefined} />
    </StatList>
  </Card>
);

const created = { id: "1", kind: "success", text: "Mask created successfully" } as const;

const Gallery = () => {
  const [tab, setTab] = useState("Masks");
  const [chip, setChip] = useState("all");
  const [page, setPage] = useState(6);
  const [isPending, setPending] = useState(false);
  const [open, setOpen] = useState<"form" | "question" | undefined>(undefined);
  const close = (): void => setOpen(undefined);
  const main = useRef<HTMLElement>(null);
  return (
    <>
      <header>
        <Logo name="Bauta" />
        <NavBar label="Main" links={links} current={{ id: tab, isPage: true }} onFollow={setTab} />
      </header>
      <main ref={main}>
        <h1>Gallery</h1>
        <div>
          <Button variant="primary" isPending={isPending} onPress={() => setPending(true)}>
            Save Changes
          </Button>
          <Button onPress={() => setOpen("form")}>Create Mask</Button>
          <Button variant="quiet" icon={<PlaneIcon />} iconAfter={<BriefcaseIcon />}>
            Cancel
          </Button>
          <Button variant="danger">Confirm Delete</Button>
          <Button variant="quietDanger">Delete</Button>
          <ButtonLink variant="quiet" href="#masks">
            Show all
          </ButtonLink>
          <CopyButton label="Copy secret" onCopy={() => {}} isCopied={false} />
          <ChipGroup
            label="Show"
            value={chip}
            onChange={setChip}
            chips={["all", "active", "disabled"].map((value) => ({ value, label: value, count: 3 }))}
          />
          <MaskCard>
            <Menu
              label="Actions for Shopping"
              items={[
                { id: "edit", label: "Edit mask", onSelect: () => setOpen("form") },
                { id: "delete", label: "Delete mask", isDanger: true, onSelect: () => setOpen("question") },
              ]}
            />
          </MaskCard>
          <Fields />
          <Notices />
          <Pagination page={page} pageCount={12} onChange={setPage} list={main} />
          <IconButton variant="float" label="New" icon={<PlusIcon />} />
        </div>
      </main>
      <Dialog
        isOpen={open === "form"}
        onClose={close}
        title="Create Mask"
        onSubmit={close}
        footer={<Button type="submit">Save</Button>}
      >
        <TextField label="Name" value="" onChange={() => {}} autoFocus />
      </Dialog>
      <ConfirmDialog
        isOpen={open === "question"}
        title="Delete Shopping?"
        confirmLabel="Delete mask"
        isDanger
        onConfirm={close}
        onCancel={close}
      >
        This action cannot be undone.
      </ConfirmDialog>
      <ToastRegion toasts={[created]} shown={created} onClose={() => {}} />
    </>
  );
};

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Gallery />);
