package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.spark.RegisteredFiles.RegisteredFile;
import dev.bluebell.verbs.Device;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegisteredFilesTest {
  private static final int MAX_FILES = 2;

  @TempDir private Path folder;
  private final Device device = Device.open("soft:engine=poll");
  private final ShuffleCounters counters = new ShuffleCounters();
  private final RegisteredFiles files =
      new RegisteredFiles(device.allocateProtectionDomain(), MAX_FILES, counters);

  @AfterEach
  void close() {
    device.close();
  }

  private File file(String name, int... content) throws IOException {
    byte[] bytes = new byte[content.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) content[i];
    }
    return Files.write(folder.resolve(name), bytes).toFile();
  }

  private long registrations() {
    return counters.metricRegistry().getCounters().get("registrations").getCount();
  }

  private boolean isOpen(RegisteredFile file) {
    return device.openObjects().stream().anyMatch(each -> each.object().equals(file.region()));
  }

  @Test
  void aFileIsRegisteredOnceAndHasItsContent() throws IOException {
    File file = file("a", 1, 2, 3);
    RegisteredFile first = files.use(file);
    assertThat(first.region().segment().toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3);
    assertThat(files.use(file)).isSameAs(first);
    assertThat(registrations()).isEqualTo(1);
  }

  @Test
  void aFileThatIsReadStaysRegisteredWhenItIsForgotten() throws IOException {
    File file = file("a", 1);
    RegisteredFile used = files.use(file);
    files.use(file);
    files.forget(file);
    assertThat(files.size()).isZero();
    used.release();
    assertThat(isOpen(used)).isTrue();
    used.release();
    assertThat(isOpen(used)).isFalse();
  }

  @Test
  void anotherFileInItsPlaceIsRegisteredAnew() throws IOException {
    RegisteredFile old = files.use(file("a", 1));
    Files.move(file("b", 2).toPath(), folder.resolve("a"), StandardCopyOption.REPLACE_EXISTING);
    RegisteredFile now = files.use(folder.resolve("a").toFile());
    assertThat(now.region().segment().toArray(ValueLayout.JAVA_BYTE)).containsExactly(2);
    assertThat(isOpen(old)).isTrue();
    old.release();
    assertThat(isOpen(old)).isFalse();
  }

  @Test
  void beyondTheLimitTheFileThatWasUsedLastButLongestAgoGoes() throws IOException {
    RegisteredFile first = files.use(file("a", 1));
    RegisteredFile second = files.use(file("b", 2));
    first.release();
    second.release();
    files.use(file("a", 1)).release();
    files.use(file("c", 3)).release();
    assertThat(isOpen(second)).isFalse();
    assertThat(files.size()).isEqualTo(MAX_FILES);
  }

  @Test
  void filesThatAreReadStayBeyondTheLimit() throws IOException {
    RegisteredFile first = files.use(file("a", 1));
    RegisteredFile second = files.use(file("b", 2));
    files.use(file("c", 3));
    assertThat(files.size()).isEqualTo(3);
    assertThat(isOpen(first)).isTrue();
    assertThat(isOpen(second)).isTrue();
  }

  @Test
  void whenAllAreForgottenThoseThatAreReadGoLater() throws IOException {
    RegisteredFile idle = files.use(file("a", 1));
    RegisteredFile used = files.use(file("b", 2));
    idle.release();
    files.forgetAll();
    assertThat(isOpen(idle)).isFalse();
    assertThat(isOpen(used)).isTrue();
    used.release();
    assertThat(isOpen(used)).isFalse();
  }

  @Test
  void aFileThatIsMissingIsAnError() {
    assertThatThrownBy(() -> files.use(folder.resolve("none").toFile()))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(files.size()).isZero();
  }
}
