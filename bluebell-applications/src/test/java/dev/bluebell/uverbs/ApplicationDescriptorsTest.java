package dev.bluebell.uverbs;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    start("env", "BLUEBELL_MAP_MEMORY=1", application(), what);
  }

  /** As {@link #run}, without having asked for registered memory to be shared. */
  private void runUnasked(String what) throws IOException, InterruptedException {
    start(application(), what);
  }

  private static String application() throws IOException, InterruptedException {
    return Application.compile("descriptors.c", "-pthread", "-ldl");
  }

  private void start(String... command) throws IOException, InterruptedException {
    Application.start(host, folder, List.of(command)).expectSuccess();
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
  void aChildOfASystemCallMayOpenTheDevice() throws IOException, InterruptedException {
    run("cloned");
  }

  @Test
  void aLibraryMayOpenTheDeviceBeforeThePreloadLibraryBegins()
      throws IOException, InterruptedException {
    String library = Application.compile("early.c", "-shared", "-fPIC", "-DLIBRARY");
    start(Application.compile("early.c", library));
  }

  /** {@code own_device.c} is the application, and its device process too. */
  @ParameterizedTest
  @Tag("slow")
  @ValueSource(
      strings = {
        "a signal handler uses the device during a call",
        "a signal handler closes the device during a call",
        "a dup2 that fails closes the number",
        "an event arrives at the end after the connection moved",
        "an event arrives at the end at a duplicate",
        "the device gets the lowest number and the connection none of 0 to 2",
        "a signal ends an application whose device does not answer",
        "a signal that an application blocks waits for it",
        "closing the last descriptor waits for the end of the session",
        "a dup2 onto the last descriptor waits for the end of the session",
        "a child that closes the device does not end the session",
        "asynchronous events do not end when the device is closed",
        "a thread that waits for an event when the device is closed gets none",
        "a device process that does not end the session is not waited for long",
        "a signal ends an application that waits for the end of the session",
      })
  void descriptorsAndSignalsAreThoseOfADeviceFile(String what)
      throws IOException, InterruptedException {
    start(Application.compile("own_device.c", "-pthread"), what);
  }

  @Test
  void anApplicationCannotOverwriteTheShimsDescriptors() throws IOException, InterruptedException {
    run("overwritten");
  }

  @Test
  void aNumberThatWasClosedUnseenIsNoDeviceFileAnyMore() throws IOException, InterruptedException {
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
  void childrenOfForkHaveCopiesOfRegisteredMemory() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("inherited");
    runUnasked("inherited");
  }

  @Test
  void copiesAndZeroPagesNeedNoDescriptor() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("crowded");
  }

  @Test
  void registeredPagesReadAsZeroAfterMadviseDontneed() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("unneeded");
    runUnasked("unneeded");
  }

  @Test
  void registeredMemoryCanGrow() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("grown");
    runUnasked("grown");
  }

  @Test
  void otherThreadsGoOnWhenTheMainThreadHasEnded() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("headless");
  }

  @Test
  void onlyWholePagesOfSingleThreadedApplicationsAreSharedByDefault()
      throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    runUnasked("unasked");
  }

  @Test
  void deregisteredPagesAreOneMappingWithThoseBesideThem()
      throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("merged");
    runUnasked("merged");
  }

  @Test
  void applicationsOfSeveralDevicesShareNoRegisteredMemoryByDefault()
      throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    String sockets = "BLUEBELL_SOCKET=%s:%s".formatted(host.socket(), host.socket());
    start("env", sockets, application(), "several");
  }

  @Test
  void closedChannelsReportNothingInEpollSets() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("polled");
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

  /** Yama keeps one tracer for a process: naming one device process would cut off the other. */
  @Test
  void severalDeviceProcessesMayReachOneApplication() throws IOException, InterruptedException {
    start(Application.compile("tracers.c", "-rdynamic"));
  }

  @Test
  void anApplicationWithoutFreeDescriptorsGetsEmfile() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    run("exhausted");
  }
}
