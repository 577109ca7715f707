package dev.bluebell.uverbs;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What applications do with descriptors and processes does no harm to the device file that they
 * have open, and it does none to them; {@code descriptors.c} is the application.
 */
class ApplicationDescriptorsTest extends Hosted {
  @AfterEach
  void close() throws IOException, InterruptedException {
    host.expectNothingLeft();
  }

  private void run(String what) throws IOException, InterruptedException {
    String application = Application.compile("descriptors.c", "-pthread", "-ldl");
    Application.start(host, folder, List.of("env", "BLUEBELL_MAP_MEMORY=1", application, what))
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
  void descriptorsThatAnApplicationDoesNotKnowAreNotItsToTake()
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
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("stack");
  }

  @Test
  void memoryThatIsProtectedWhileItIsRegisteredStaysSo() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
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
  void aSignalDoesNotKeepAnApplicationFromTheDevice() throws IOException, InterruptedException {
    run("interrupted");
  }

  @Test
  void anApplicationWithoutFreeDescriptorsIsToldSo() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("exhausted");
  }
}
