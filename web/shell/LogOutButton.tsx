import { useLogOut } from "../logOut/useLogOut.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { LogoutIcon } from "../ui/icons/LogoutIcon.tsx";

/** The way out in the header (SH1). */
export const LogOutButton = () => {
  const { ask, isRunning, question } = useLogOut();
  return (
    <>
      <IconButton label="Log out" icon={<LogoutIcon />} onPress={ask} isPending={isRunning} />
      {question}
    </>
  );
};
