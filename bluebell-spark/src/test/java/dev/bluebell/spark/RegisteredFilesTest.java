package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaException;
import dev.bluebell.spark.RegisteredFiles.RegisteredFile;
import dev.bluebell.verbs.Device;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegisteredFilesTest {
  private static final int MAX_FILES = 2;

  @TempDir private Path folder;
  private final HeldRegistrations hca = new HeldRegistrations("soft");
  private final Device device = Device.over(hca);
  private final ShuffleCounters counters = new ShuffleCounters();
  private final RegisteredFiles files =
      new RegisteredFiles(device.allocateProtectionDomain(), MAX_FILES, counters, Runnable::run);

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
  void theLeastRecentlyUsedFileIsDroppedBeyondTheLimit() throws IOException {
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
  void forgettingAllFilesKeepsThoseInUseUntilTheirRelease() throws IOException {
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
  void filesThatAreForgottenAtOnceAreDeregisteredByOneTask() throws IOException {
    List<Runnable> tasks = new ArrayList<>();
    RegisteredFiles slow =
        new RegisteredFiles(device.allocateProtectionDomain(), 8, counters, tasks::add);
    List<RegisteredFile> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(slow.use(file("f" + i, i)));
      all.getLast().release();
    }
    slow.forget(folder.resolve("f0").toFile());
    slow.forgetAll();
    assertThat(tasks).hasSize(1);
    tasks.getFirst().run();
    assertThat(all).noneMatch(this::isOpen);
    RegisteredFile later = slow.use(file("later", 1));
    slow.forgetAll();
    later.release();
    tasks.getLast().run();
    assertThat(isOpen(later)).isFalse();
  }

  @Test
  void aFileThatCannotBeDeregisteredKeepsNoOtherRegistered() throws IOException {
    RegisteredFile kept = files.use(file("a", 1));
    RegisteredFile other = files.use(file("b", 2));
    files.forget(folder.resolve("a").toFile());
    hca.keep();
    try (LogLines log = new LogLines()) {
      kept.release();
      assertThat(log.all()).singleElement().asString().contains("stays registered");
    }
    files.forget(folder.resolve("b").toFile());
    other.release();
    assertThat(isOpen(kept)).isTrue();
    assertThat(isOpen(other)).isFalse();
  }

  @Test
  void filesThatNoThreadCouldDeregisterAreDeregisteredByTheNextOne() throws IOException {
    List<Runnable> refused = new ArrayList<>();
    RegisteredFiles some =
        new RegisteredFiles(
            device.allocateProtectionDomain(),
            8,
            counters,
            task -> {
              if (refused.isEmpty()) {
                refused.add(task);
                throw new OutOfMemoryError("unable to create native thread");
              }
              task.run();
            });
    RegisteredFile first = some.use(file("a", 1));
    RegisteredFile second = some.use(file("b", 2));
    first.release();
    some.forget(folder.resolve("a").toFile());
    assertThat(isOpen(first)).isTrue();
    second.release();
    some.forget(folder.resolve("b").toFile());
    assertThat(isOpen(first)).isFalse();
    assertThat(isOpen(second)).isFalse();
  }

  @Test
  void aFileThatIsMissingIsAnError() {
    assertThatThrownBy(() -> files.use(folder.resolve("none").toFile()))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(files.size()).isZero();
  }

  @Test
  void aRegistrationThatFailsIsTriedAgain() throws IOException {
    File file = file("a", 1);
    hca.refuse(true);
    assertThatThrownBy(() -> files.use(file)).hasRootCauseInstanceOf(HcaException.class);
    assertThat(files.size()).isZero();
    hca.refuse(false);
    assertThat(isOpen(files.use(file))).isTrue();
  }

  @Test
  void otherFilesAreUsedWhileOneIsRegistered() throws Exception {
    File file = file("a", 1);
    RegisteredFile first = files.use(file);
    File other = file("b", 2);
    hca.hold();
    CompletableFuture<RegisteredFile> slow = used(other);
    hca.awaitHeld();
    CompletableFuture<RegisteredFile> same = used(other);

    assertThat(files.use(file)).isSameAs(first);
    first.release();
    hca.let();
    assertThat(slow.join()).isSameAs(same.join());
    assertThat(registrations()).isEqualTo(2);
  }

  @Test
  void aFileThatIsForgottenWhileItIsRegisteredStaysUntilItIsReleased() throws Exception {
    File file = file("a", 1);
    hca.hold();
    CompletableFuture<RegisteredFile> slow = used(file);
    hca.awaitHeld();
    files.forget(file);
    hca.let();
    RegisteredFile registered = slow.join();
    assertThat(isOpen(registered)).isTrue();
    registered.release();
    assertThat(isOpen(registered)).isFalse();
    assertThat(files.size()).isZero();
  }

  private CompletableFuture<RegisteredFile> used(File file) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return files.use(file);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        Thread::startVirtualThread);
  }
}
