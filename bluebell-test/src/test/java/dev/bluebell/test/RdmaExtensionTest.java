package dev.bluebell.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.RemoteMemory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The extension injects devices into tests, and reports leaks and failures. */
class RdmaExtensionTest {
  /** Longer than a file name may be. */
  private static final String LONG_NAME =
      "an argument of sixty characters, as parameterized tests have "
          + "an argument of sixty characters, as parameterized tests have "
          + "an argument of sixty characters, as parameterized tests have "
          + "an argument of sixty characters, as parameterized tests have "
          + "an argument of sixty characters, as parameterized tests have";

  @TempDir private Path reports;

  private static Device before;
  private static Device given;
  private static Device whole;

  @Test
  void eachParameterHasADeviceOfItsOwn(
      @Rdma Device one, @Rdma TestDevice two, @Rdma("mtu=1024") RdmaPair pair) {
    assertThat(one).isNotSameAs(two.device());
    assertThat(one.gid(1, 1)).isNotEqualTo(two.device().gid(1, 1));
    assertThat(pair.left().queuePair().endpoint().mtu()).isEqualTo(1024);
    assertThat(pair.left().device()).isSameAs(pair.device());
  }

  @Test
  void aPairMayBeOnInfiniBand(@Rdma("link=infiniband") RdmaPair pair) {
    assertThat(pair.device().device().port(1).linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
    assertThat(pair.right().queuePair().query().remoteLid())
        .isEqualTo(pair.left().queuePair().endpoint().lid())
        .isPositive();
  }

  @Test
  void aLeakedObjectIsReportedWithThePlaceOfItsCreation() {
    assertThat(failure("forgets"))
        .contains("1 not closed:\nCQ 0x")
        .containsPattern(
            "\n    at .*RdmaExtensionTest\\$Runs.create\\(.*\n    at .*Runs.forgets\\(.*\n\tat ");
  }

  @Test
  void aTestThatFailsLeavesAPageThatShowsWhatItsDeviceDid() throws IOException {
    run("failsAtAWrongKey");
    assertThat(
            Files.readString(
                reports.resolve("dev.bluebell.test.RdmaExtensionTest-Runs.failsAtAWrongKey.html")))
        .contains("<mark>rkey=", "REMOTE_ACCESS_ERR", "AssertionError: on purpose");
    run("remembers");
    assertThat(reports).isDirectoryNotContaining("glob:**remembers*");
  }

  @Test
  void aTestWithALongNameLeavesAPage() {
    run("failsUnderALongName");
    assertThat(reports).isDirectoryContaining("glob:**failsUnderALongName*.html");
  }

  @Test
  void eachRepetitionLeavesAPageOfItsOwn() {
    run("failsEachTime");
    assertThat(reports)
        .isDirectoryContaining("glob:**failsEachTime-*1-of-2.html")
        .isDirectoryContaining("glob:**failsEachTime-*2-of-2.html");
  }

  @Test
  void aTestOfAFactoryThatFailsLeavesAPageAndReportsNoLeaks() {
    assertThat(failure("oneOfAFactoryFails")).contains("on purpose").doesNotContain("not closed");
    assertThat(reports).isDirectoryContaining("glob:**oneOfAFactoryFails.html");
  }

  @Test
  void anAbortedTestOfAFactoryHidesNoFailure() {
    run("oneOfAFactoryFailsAndOneAborts");
    assertThat(reports).isDirectoryContaining("glob:**oneOfAFactoryFailsAndOneAborts.html");
  }

  @Test
  void repetitionsOfOneNameLeaveAPageEach() {
    run("failsEachTimeUnderOneName");
    assertThat(reports.toFile().list()).hasSize(2);
    run("failsEachTimeUnderOneName");
    assertThat(reports.toFile().list()).as("after the same tests").hasSize(2);
  }

  @Test
  void anInterruptEndsAWait(@Rdma Device device) {
    CompletionQueue completions = device.createCompletionQueue(4);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> completions.awaitCompletions(Duration.ofHours(20)));
    completions.close();
  }

  @Test
  void testsOfTwoClassesWithOneSimpleNameLeaveTwoPages() {
    execute(selectClass(One.Connected.class), reports.toString());
    execute(selectClass(Other.Connected.class), reports.toString());
    assertThat(reports.toFile().list()).hasSize(2);
  }

  @Test
  void reportsCanBeSwitchedOffAndAnUnwritableReportFailsNothingElse() throws IOException {
    Path file = Files.createFile(reports.resolve("file"));
    assertThat(run("fails", "off").getTestsFailedCount()).isEqualTo(1);
    assertThat(run("fails", file.toString()).getTestsFailedCount()).isEqualTo(1);
    assertThat(reports)
        .isDirectoryContaining("glob:**file")
        .isDirectoryNotContaining("glob:**.html");
  }

  @Test
  void aReportOfADeviceCanBeWrittenAtAnyTime(@Rdma RdmaPair pair) throws IOException {
    Path file = reports.resolve("any.html");
    pair.device().writeReport(file, "a pair");
    assertThat(Files.readString(file))
        .contains("<title>a pair</title>", "QP 0x%x".formatted(pair.right().queuePair().number()));
    pair.device().close();
    pair.device().writeReport(file, "a closed pair");
    assertThat(Files.readString(file)).contains("are not known");
  }

  @Test
  void closedObjectsAndThoseOfThePairAreNoLeaks() {
    assertThat(run("remembers").getTestsSucceededCount()).isEqualTo(1);
    assertThat(run("mayForget").getTestsSucceededCount()).isEqualTo(1);
  }

  @Test
  void aFailedTestReportsNoLeaks() {
    assertThat(failure("fails")).contains("on purpose").doesNotContain("not closed");
  }

  @Test
  void aDeviceIsClosedAfterItsTestWhateverBecameOfIt() {
    run("fails");
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> given.port(1));
    run("forgets");
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> given.port(1));
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> before.port(1));
  }

  @Test
  void anAbortedTestLeavesNoPage() {
    assertThat(run("aborts").getTestsAbortedCount()).isEqualTo(1);
    assertThat(reports).isEmptyDirectory();
  }

  @Test
  void aDeviceOfAWholeClassStaysOpenUntilItsLastTest() {
    assertThat(execute(selectClass(Whole.class), "off").getTestsSucceededCount()).isEqualTo(2);
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> whole.port(1));
  }

  @Test
  void aDeviceOfAConstructorIsClosedAfterItsTest() {
    assertThat(execute(selectClass(Constructed.class), "off").getTestsSucceededCount())
        .isEqualTo(2);
  }

  @Test
  void aParameterOfAnotherTypeOrWithAWrongOptionIsRefused() {
    assertThat(failure("wrongType")).contains("@Rdma is for a Device, a TestDevice or an RdmaPair");
    assertThat(failure("wrongOption")).contains("lose");
    assertThat(failure("wrongEngine")).contains("which Time sets");
  }

  private String failure(String method) {
    TestExecutionSummary summary = run(method);
    assertThat(summary.getTestsFailedCount()).isEqualTo(1);
    StringWriter text = new StringWriter();
    summary.getFailures().getFirst().getException().printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private TestExecutionSummary run(String method) {
    return run(method, reports.toString());
  }

  private static TestExecutionSummary run(String method, String reports) {
    String found =
        Arrays.stream(Runs.class.getDeclaredMethods())
            .filter(candidate -> candidate.getName().equals(method))
            .map(candidate -> candidate.getParameterTypes()[0].getName())
            .findFirst()
            .orElseThrow();
    return execute(selectMethod(Runs.class, method, found), reports);
  }

  private static TestExecutionSummary execute(DiscoverySelector tests, String reports) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create(
            LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .build())
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(tests)
                .configurationParameter("bluebell.report", reports)
                .build(),
            listener);
    return listener.getSummary();
  }

  /** Tests in a class whose simple name another class has, too. */
  static class One {
    static class Connected {
      @Test
      void fails(@Rdma Device device) {
        throw new AssertionError("on purpose, on " + device.name());
      }
    }
  }

  /** The other class. */
  static class Other {
    static class Connected {
      @Test
      void fails(@Rdma Device device) {
        throw new AssertionError("on purpose, on " + device.name());
      }
    }
  }

  /** Tests that the other tests run. */
  static class Runs {
    @BeforeEach
    void takeOne(@Rdma Device device) {
      before = device;
    }

    @AfterEach
    void stillOpen() {
      assertThat(before.port(1)).isNotNull();
    }

    private static CompletionQueue create(Device device) {
      given = device;
      return device.createCompletionQueue(4);
    }

    @Test
    void forgets(@Rdma Device device) {
      CompletionQueue unused = create(device);
    }

    @Test
    void mayForget(@Rdma(mayLeak = true) Device device) {
      CompletionQueue unused = create(device);
    }

    @Test
    void remembers(@Rdma RdmaPair pair) {
      create(pair.device().device()).close();
    }

    @Test
    void fails(@Rdma Device device) {
      CompletionQueue unused = create(device);
      throw new AssertionError("on purpose");
    }

    @RepeatedTest(value = 2, name = RepeatedTest.LONG_DISPLAY_NAME)
    void failsEachTime(@Rdma Device device) {
      throw new AssertionError("on purpose, on " + device.name());
    }

    @TestFactory
    Stream<DynamicTest> oneOfAFactoryFails(@Rdma Device device) {
      CompletionQueue unused = create(device);
      return Stream.of(
          DynamicTest.dynamicTest(
              "one",
              () -> {
                throw new AssertionError("on purpose");
              }),
          DynamicTest.dynamicTest("another", () -> assertThat(device.port(1)).isNotNull()));
    }

    @TestFactory
    Stream<DynamicTest> oneOfAFactoryFailsAndOneAborts(@Rdma Device device) {
      return Stream.of(
          DynamicTest.dynamicTest(
              "one",
              () -> {
                throw new AssertionError("on purpose, on " + device.name());
              }),
          DynamicTest.dynamicTest("another", () -> Assumptions.abort("on purpose")));
    }

    @RepeatedTest(value = 2, name = "run")
    void failsEachTimeUnderOneName(@Rdma Device device) {
      throw new AssertionError("on purpose, on " + device.name());
    }

    @Test
    @DisplayName(LONG_NAME)
    void failsUnderALongName(@Rdma Device device) {
      throw new AssertionError("on purpose, on " + device.name());
    }

    @Test
    void aborts(@Rdma Device device) {
      Assumptions.abort("%s is not suitable".formatted(device.name()));
    }

    @Test
    void failsAtAWrongKey(@Rdma RdmaPair pair) {
      RemoteMemory right = pair.right().memory().remote();
      pair.left()
          .queuePair()
          .write(right.address(), right.rkey() + 1)
          .inline(new byte[8], 0, 8)
          .signaled(1);
      pair.left().queuePair().ringDoorbell();
      Done unused = pair.left().await();
      throw new AssertionError("on purpose");
    }

    @Test
    void wrongType(@Rdma String text) {
      assertThat(text).isNull();
    }

    @Test
    void wrongOption(@Rdma("lose=5%") Device device) {
      assertThat(device).isNull();
    }

    @Test
    void wrongEngine(@Rdma("engine=thread") Device device) {
      assertThat(device).isNull();
    }
  }

  /** Tests that share a device. */
  static class Whole {
    @BeforeAll
    static void take(@Rdma Device device) {
      whole = device;
    }

    @Test
    void one(@Rdma Device own) {
      assertThat(own).isNotSameAs(whole);
      assertThat(whole.port(1)).isNotNull();
    }

    @Test
    void another(@Rdma Device own) {
      assertThat(own).isNotSameAs(whole);
      assertThat(whole.port(1)).isNotNull();
    }
  }

  /** Tests whose instances each have a device. */
  static class Constructed {
    private static Device last;
    private final Device own;

    Constructed(@Rdma Device device) {
      own = device;
    }

    @Test
    void one() {
      isOpenAndTheLastOneIsClosed();
    }

    @Test
    void another() {
      isOpenAndTheLastOneIsClosed();
    }

    private void isOpenAndTheLastOneIsClosed() {
      assertThat(own.port(1)).isNotNull();
      Device before = last;
      if (before != null) {
        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> before.port(1));
      }
      last = own;
    }
  }
}
