package dev.bluebell.cli.devx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.hca.uverbs.Attribute;
import dev.bluebell.hca.uverbs.CallAbi.InvokeWriteAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.GetContextAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryGidEntryAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxAsyncEventFdAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjCreateAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjModifyAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjQueryAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxOtherAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxQueryEqnAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxSubscribeEventAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxUmemRegAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.UarObjAllocAttrs;
import dev.bluebell.hca.uverbs.Method;
import dev.bluebell.hca.uverbs.MrAbi.AllocDmAttrs;
import dev.bluebell.hca.uverbs.MrAbi.RegDmMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.RegDmabufMrAttrs;
import dev.bluebell.hca.uverbs.WriteCommandNumber;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the driver's ioctls with those that libmlx5 makes for the same purposes ({@code
 * library_calls.c}). Both are recorded before they reach any kernel side.
 */
class LibraryCallsTest {
  private static final Path SOURCES =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("src/test/c");

  // rdma/ib_user_verbs.h: IB_USER_VERBS_CMD_QUERY_DEVICE, IB_USER_VERBS_CMD_FLAG_EXTENDED
  private static final long QUERY_DEVICE = 1;
  private static final long EXTENDED = 0x80000000L;

  /**
   * Calls that only the library makes: to ask whether the kernel takes calls of this kind, and for
   * attributes that verbs report.
   */
  private static final Set<Purpose> OF_THE_LIBRARY_ALONE =
      Set.of(
          Purpose.of(InvokeWriteAttrs.METHOD, QUERY_DEVICE),
          Purpose.of(InvokeWriteAttrs.METHOD, EXTENDED | QUERY_DEVICE));

  /** The library marks it as mandatory; Linux before 5.11 does not know it, and may ignore it. */
  private static final Attribute MAY_BE_UNKNOWN = DevxUmemRegAttrs.PGSZ_BITMAP;

  /** Attributes whose contents must be equal, except for numbers and addresses of the process. */
  private static final List<Said> SAID =
      List.of(
          new Said(GetContextAttrs.METHOD, GetContextAttrs.UHW_IN),
          new Said(UarObjAllocAttrs.METHOD, UarObjAllocAttrs.TYPE),
          new Said(DevxUmemRegAttrs.METHOD, DevxUmemRegAttrs.LEN),
          new Said(DevxUmemRegAttrs.METHOD, DevxUmemRegAttrs.ACCESS),
          new Said(DevxUmemRegAttrs.METHOD, DevxUmemRegAttrs.PGSZ_BITMAP),
          new Said(DevxQueryEqnAttrs.METHOD, DevxQueryEqnAttrs.USER_VEC),
          new Said(
              DevxObjCreateAttrs.METHOD,
              DevxObjCreateAttrs.CMD_IN,
              new Own(0x14, 4),
              new Own(0x1d, 3),
              new Own(0x58, 4)),
          new Said(DevxObjQueryAttrs.METHOD, DevxObjQueryAttrs.CMD_IN, new Own(8, 4)),
          new Said(DevxObjModifyAttrs.METHOD, DevxObjModifyAttrs.CMD_IN, new Own(8, 4)),
          new Said(DevxAsyncEventFdAllocAttrs.METHOD, DevxAsyncEventFdAllocAttrs.FLAGS),
          new Said(DevxSubscribeEventAttrs.METHOD, DevxSubscribeEventAttrs.TYPE_NUM_LIST),
          new Said(DevxSubscribeEventAttrs.METHOD, DevxSubscribeEventAttrs.COOKIE),
          new Said(
              Purpose.of(InvokeWriteAttrs.METHOD, WriteCommandNumber.REG_MR),
              InvokeWriteAttrs.CORE_IN,
              List.of(new Own(0, 8), new Own(8, 8), new Own(24, 8), new Own(32, 4))),
          new Said(RegDmabufMrAttrs.METHOD, RegDmabufMrAttrs.OFFSET),
          new Said(RegDmabufMrAttrs.METHOD, RegDmabufMrAttrs.LENGTH),
          new Said(RegDmabufMrAttrs.METHOD, RegDmabufMrAttrs.IOVA),
          new Said(RegDmabufMrAttrs.METHOD, RegDmabufMrAttrs.FD),
          new Said(RegDmabufMrAttrs.METHOD, RegDmabufMrAttrs.ACCESS_FLAGS),
          new Said(AllocDmAttrs.METHOD, AllocDmAttrs.LENGTH),
          new Said(AllocDmAttrs.METHOD, AllocDmAttrs.REQ_TYPE),
          new Said(RegDmMrAttrs.METHOD, RegDmMrAttrs.OFFSET),
          new Said(RegDmMrAttrs.METHOD, RegDmMrAttrs.LENGTH),
          new Said(RegDmMrAttrs.METHOD, RegDmMrAttrs.ACCESS_FLAGS),
          new Said(QueryPortAttrs.METHOD, QueryPortAttrs.PORT_NUM),
          new Said(QueryGidEntryAttrs.METHOD, QueryGidEntryAttrs.PORT),
          new Said(QueryGidEntryAttrs.METHOD, QueryGidEntryAttrs.GID_INDEX),
          new Said(QueryGidEntryAttrs.METHOD, QueryGidEntryAttrs.FLAGS));

  @TempDir private Path folder;

  /**
   * The purpose of a call.
   *
   * @param command number of an old call, which all use one method; 0 for others
   */
  private record Purpose(int object, int method, long command) {
    static Purpose of(Method method, long command) {
      return new Purpose(method.object().id(), method.id(), command);
    }

    static Purpose of(RecordedCall call) {
      boolean old =
          call.object() == InvokeWriteAttrs.METHOD.object().id()
              && call.method() == InvokeWriteAttrs.METHOD.id();
      return new Purpose(
          call.object(),
          call.method(),
          old
              ? ByteBuffer.wrap(call.attributes().get(InvokeWriteAttrs.WRITE_CMD.id()).bytes())
                  .order(ByteOrder.nativeOrder())
                  .getLong()
              : 0);
    }
  }

  /** Bytes that differ from process to process. */
  private record Own(int at, int bytes) {}

  /** An attribute with the same contents in both, except for some bytes. */
  private record Said(Purpose purpose, Attribute attribute, List<Own> own) {
    Said(Method method, Attribute attribute, Own... own) {
      this(Purpose.of(method, 0), attribute, List.of(own));
    }

    Set<String> of(List<RecordedCall> calls) {
      return calls.stream()
          .filter(call -> Purpose.of(call).equals(purpose))
          .map(call -> call.attributes().get(attribute.id()))
          .map(content -> text(content.bytes().clone()))
          .collect(Collectors.toSet());
    }

    private String text(byte[] bytes) {
      own.forEach(each -> Arrays.fill(bytes, each.at(), each.at() + each.bytes(), (byte) 0));
      return HexFormat.of().formatHex(bytes);
    }
  }

  @Test
  @Tag("slow")
  void theDriverMakesTheCallsOfTheLibrary() throws IOException, InterruptedException {
    assumeTrue(
        Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h")),
        "mlx5dv.h is not installed (Debian and Ubuntu: apt install libibverbs-dev)");
    Path recorder = compile("recorder.c", "-shared", "-fPIC", "-ldl");
    Path calls = compile("library_calls.c", "-lmlx5", "-libverbs");
    try (KernelSide kernel = new KernelSide(folder)) {
      Path written = folder.resolve("library.txt");
      try (KernelSide.Client client =
          kernel.start(recording(recorder, written), List.of(calls.toString()))) {
        String unused = client.expectSuccess();
      }
      List<RecordedCall> library = RecordedCall.read(written);
      written = folder.resolve("driver.txt");
      try (KernelSide.Client client =
          kernel.start(recording(recorder, written), CardUser.class, "call")) {
        String unused = client.expectSuccess();
      }
      List<RecordedCall> driver = RecordedCall.read(written);
      expectEqualPurposes(driver, library);
      driver.forEach(call -> expectItsForm(call, library));
      for (Said said : SAID) {
        assertThat(said.of(driver))
            .as(said.attribute().name())
            .isNotEmpty()
            .isSubsetOf(said.of(library));
      }
      kernel.expectNothingLeft();
    }
  }

  @Test
  @Tag("slow")
  void trafficMakesNoCalls() throws IOException, InterruptedException {
    assumeTrue(
        Files.exists(Path.of("/usr/include/rdma/rdma_user_ioctl_cmds.h")),
        "the kernel's headers are not installed (Debian and Ubuntu: apt install libibverbs-dev)");
    Path recorder = compile("recorder.c", "-shared", "-fPIC", "-ldl");
    try (KernelSide kernel = new KernelSide(folder)) {
      assertThat(callsOfTraffic(kernel, recorder, 1000))
          .isNotEmpty()
          .isEqualTo(callsOfTraffic(kernel, recorder, 1));
    }
  }

  private List<Purpose> callsOfTraffic(KernelSide kernel, Path recorder, int messages)
      throws IOException, InterruptedException {
    Path written = folder.resolve(messages + ".txt");
    try (KernelSide.Client client =
        kernel.start(recording(recorder, written), CardUser.class, "traffic", "" + messages)) {
      String unused = client.expectSuccess();
    }
    return RecordedCall.read(written).stream().map(Purpose::of).toList();
  }

  private static Map<String, String> recording(Path recorder, Path written) {
    return Map.of("LD_PRELOAD", recorder.toString(), "BLUEBELL_RECORD", written.toString());
  }

  private Path compile(String source, String... options) throws IOException, InterruptedException {
    Path target = folder.resolve(source + ".out");
    List<String> command =
        new ArrayList<>(List.of("gcc", "-std=gnu11", "-Wall", "-Werror", "-o", target.toString()));
    command.add(SOURCES.resolve(source).toString());
    command.addAll(List.of(options));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    return target;
  }

  private static void expectEqualPurposes(List<RecordedCall> driver, List<RecordedCall> library) {
    Set<Purpose> ours = driver.stream().map(Purpose::of).collect(Collectors.toSet());
    Set<Purpose> theirs = library.stream().map(Purpose::of).collect(Collectors.toSet());
    assertThat(theirs).containsAll(OF_THE_LIBRARY_ALONE);
    theirs.removeAll(OF_THE_LIBRARY_ALONE);
    assertThat(ours).isEqualTo(theirs);
  }

  /**
   * Checks that a call of the library for the same purpose has the same attributes, flags and
   * lengths.
   */
  private static void expectItsForm(RecordedCall call, List<RecordedCall> library) {
    List<Map<Integer, String>> forms =
        library.stream()
            .filter(each -> Purpose.of(each).equals(Purpose.of(call)))
            .map(LibraryCallsTest::form)
            .toList();
    assertThat(forms).as("%s", Purpose.of(call)).contains(form(call));
  }

  private static Map<Integer, String> form(RecordedCall call) {
    Purpose purpose = Purpose.of(call);
    return call.attributes().entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                attribute -> form(purpose, attribute.getKey(), attribute.getValue())));
  }

  private static String form(Purpose purpose, int attribute, RecordedCall.Content content) {
    if (purpose.equals(Purpose.of(DevxOtherAttrs.METHOD, 0))) {
      // Commands and outputs may have any length.
      return "flags %d".formatted(content.flags());
    }
    boolean registration = purpose.equals(Purpose.of(DevxUmemRegAttrs.METHOD, 0));
    return "%slength %d"
        .formatted(
            registration && attribute == MAY_BE_UNKNOWN.id()
                ? ""
                : "flags %d, ".formatted(content.flags()),
            content.length());
  }
}
