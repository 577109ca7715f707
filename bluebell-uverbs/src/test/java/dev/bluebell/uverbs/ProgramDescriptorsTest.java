package dev.bluebell.uverbs;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What programs do with descriptors and processes does no harm to the device file that they have
 * open, and it does none to them; {@code descriptors.c} is the program.
 */
class ProgramDescriptorsTest extends Hosted {
  @AfterEach
  void close() throws IOException, InterruptedException {
    host.expectNothingLeft();
  }

  private void run(String what) throws IOException, InterruptedException {
    String program = Program.compile(folder, "descriptors.c");
    Program.start(host, folder, List.of("env", "BLUEBELL_MAP_MEMORY=1", program, what))
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
  void aSignalDoesNotKeepAProgramFromTheDevice() throws IOException, InterruptedException {
    run("interrupted");
  }

  @Test
  void aProgramWithoutFreeDescriptorsIsToldSo() throws IOException, InterruptedException {
    Program.require("ibv_devinfo", "ibverbs-utils");
    run("exhausted");
  }
}
