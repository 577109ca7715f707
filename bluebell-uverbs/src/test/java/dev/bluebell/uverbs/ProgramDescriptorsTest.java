package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What programs do with descriptors and processes does no harm to the device file that they have
 * open, and it does none to them; {@code descriptors.c} is the program.
 */
class ProgramDescriptorsTest extends Hosted {
  private static final String SOURCE = "src/test/c/descriptors.c";

  @AfterEach
  void close() throws IOException, InterruptedException {
    host.expectNothingLeft();
  }

  private void run(String what) throws IOException, InterruptedException {
    Program.require("gcc", "gcc");
    Path program = folder.resolve("descriptors");
    Path source = Path.of(System.getProperty("basedir", "")).resolve(SOURCE).toAbsolutePath();
    Process compiler =
        new ProcessBuilder(
                "gcc",
                "-o",
                program.toString(),
                source.toString(),
                "-std=gnu11",
                "-pthread",
                "-ldl")
            .inheritIO()
            .start();
    assertThat(compiler.waitFor()).isZero();
    Program.start(host, folder, List.of("env", "BLUEBELL_MAP_MEMORY=1", program.toString(), what))
        .expectSuccess();
  }

  @Test
  void aChildOfVforkLeavesTheFilesOfItsParentAlone() throws IOException, InterruptedException {
    run("vfork");
  }

  @Test
  void aChildOfForkMayUseTheNumberOfTheDeviceFileAgain() throws IOException, InterruptedException {
    run("fork");
  }

  @Test
  void descriptorsThatAProgramDoesNotKnowAreNotItsToTake()
      throws IOException, InterruptedException {
    run("overwritten");
  }

  @Test
  void aDeviceFileThatWasClosedUnseenIsNoneAnyMore() throws IOException, InterruptedException {
    run("closed");
  }

  @Test
  void memoryOfTheStackThatARegistrationRunsOnCanBeRegistered()
      throws IOException, InterruptedException {
    Program.require("ibv_devinfo", "ibverbs-utils");
    run("stack");
  }

  @Test
  void memoryThatIsProtectedWhileItIsRegisteredStaysSo() throws IOException, InterruptedException {
    Program.require("ibv_devinfo", "ibverbs-utils");
    run("protected");
  }

  @Test
  void aThreadThatIsCancelledInACallKeepsNoLock() throws IOException, InterruptedException {
    run("cancelled");
  }

  @Test
  void theDeviceOfAnotherUserIsNotOpened() throws IOException, InterruptedException {
    run("stranger");
  }

  @Test
  void aProgramWithoutFreeDescriptorsIsToldSo() throws IOException, InterruptedException {
    Program.require("ibv_devinfo", "ibverbs-utils");
    run("exhausted");
  }
}
