package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in folders that other users may write to. */
class OwnFileTest {
  @TempDir private Path folder;

  @Test
  void aMissingFileIsMadeForItsUserAlone() throws IOException {
    Path path = folder.resolve("new");
    try (OwnFile file = OwnFile.open(path)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rw-------");
      assertThat(file.hasItsName()).isTrue();
      Files.move(path, folder.resolve("moved"));
      assertThat(file.hasItsName()).isFalse();
      Files.writeString(path, "of another");
      file.remove();
      assertThat(path).hasContent("of another");
    }
  }

  @Test
  void aLinkIsNotFollowed() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "precious");
    Path link = Files.createSymbolicLink(folder.resolve("link"), precious);
    assertThatThrownBy(() -> OwnFile.open(link))
        .isInstanceOf(IOException.class)
        .hasMessage("%s is a symbolic link, which is not followed; remove it", link);
    Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("none"));
    assertThatThrownBy(() -> OwnFile.open(dangling)).isInstanceOf(IOException.class);
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @Test
  void aFileWithAnotherNameIsNotOpened() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "precious");
    Path second = Files.createLink(folder.resolve("second"), precious);
    assertThatThrownBy(() -> OwnFile.open(second))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "%s is not a regular file that you own under a single name, and is not used; remove it",
            second);
    assertThat(precious).hasContent("precious");
  }

  @Test
  void aFolderIsNoFile() {
    assertThatThrownBy(() -> OwnFile.open(folder)).isInstanceOf(IOException.class);
  }
}
