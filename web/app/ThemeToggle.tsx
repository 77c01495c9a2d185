import { useTheme } from "../react/ThemeProvider.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { MoonIcon } from "../ui/icons/MoonIcon.tsx";
import { SunIcon } from "../ui/icons/SunIcon.tsx";

/** The button that switches between the light and the dark theme (SH5). */
export const ThemeToggle = () => {
  const { theme, toggle } = useTheme();
  return theme === "dark" ? (
    <IconButton label="Use light theme" icon={<SunIcon />} onPress={toggle} />
  ) : (
    <IconButton label="Use dark theme" icon={<MoonIcon />} onPress={toggle} />
  );
};
