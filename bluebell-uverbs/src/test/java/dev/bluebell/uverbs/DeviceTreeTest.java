package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.server.Processes;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder that describes a device, and what it replaces. */
class DeviceTreeTest {
  @TempDir private Path folder;

  @Test
  void aFolderOfAnotherUserStays() throws IOException {
    assumeTrue(Processes.userId() == 0, "only root can give a folder away");
    Path others = Files.createDirectory(folder.resolve("sysfs"));
    Path precious = Files.writeString(others.resolve("precious"), "precious");
    Files.setAttribute(others, "unix:uid", 12345);
    try (SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT)) {
      assertThatThrownBy(() -> DeviceTree.create(others, nic))
          .isInstanceOf(IOException.class)
          .hasMessage("%s belongs to another user and is not replaced; remove it", others);
      assertThat(precious).hasContent("precious");
      Files.setAttribute(others, "unix:uid", 0);
      DeviceTree.create(others, nic).close();
      assertThat(others).doesNotExist();
    }
  }
}
