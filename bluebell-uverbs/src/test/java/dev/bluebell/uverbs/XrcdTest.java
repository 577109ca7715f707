package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.CreateQpOut;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.uverbs.DevxClient.Made;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** XRC domains and their target queue pairs, which clients share. */
class XrcdTest extends Hosted {
  private static final int CREATE_QP = 24;
  private static final int QUERY_QP = 25;
  private static final int MODIFY_QP = 26;
  private static final int DESTROY_QP = 27;
  private static final int OPEN_XRCD = 37;
  private static final int CLOSE_XRCD = 38;
  private static final int OPEN_QP = 40;
  private static final int O_CREAT = 0100;
  private static final int O_EXCL = 0200;
  private static final int TARGET = 10;
  private static final int INITIATOR = 9;
  private static final int XRCD_OBJECT = 10;

  private FileChannel file;
  private FileChannel again;
  private int fd;
  private int fdAgain;
  private RawClient client;
  private RawClient other;

  @BeforeEach
  void open() throws IOException {
    Path path = folder.resolve("domain");
    file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    again = FileChannel.open(path, StandardOpenOption.READ);
    fd = descriptors(path).getFirst();
    fdAgain = descriptors(path).getLast();
    client = new RawClient(host);
    other = new RawClient(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    other.close();
    host.expectNothingLeft();
    file.close();
    again.close();
  }

  /** The descriptors of this process for a file. */
  static List<Integer> descriptors(Path path) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(descriptor -> isOf(descriptor, path.toString()))
          .map(descriptor -> Integer.parseInt(descriptor.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  private static boolean isOf(Path descriptor, String start) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith(start);
    } catch (IOException closed) {
      return false;
    }
  }

  // ---- calls

  /** A handle, or an error number, negative. */
  private static int result(RawClient of, int command, Fields input, int outBytes)
      throws IOException {
    MemorySegment out = of.memory(outBytes);
    long result = of.write(command, input.bytes(), out);
    return result < 0 ? (int) result : out.get(ValueLayout.JAVA_INT, 0);
  }

  private static int openDomain(RawClient of, int fd, int flags) throws IOException {
    return result(of, OPEN_XRCD, Fields.of(16).u32(8, fd).u32(12, flags), 4);
  }

  private static long closeDomain(RawClient of, int handle) throws IOException {
    return of.write(CLOSE_XRCD, Fields.of(4).u32(0, handle).bytes(), of.memory(0));
  }

  /** Handle and QPN of a new target, or an error number, negative. */
  private static int[] createTarget(RawClient of, int xrcd) throws IOException {
    MemorySegment out = of.memory(32);
    long result = of.write(CREATE_QP, Fields.of(56).u32(16, xrcd).u8(53, TARGET).bytes(), out);
    return result < 0
        ? new int[] {(int) result}
        : new int[] {out.get(ValueLayout.JAVA_INT, 0), out.get(ValueLayout.JAVA_INT, 4)};
  }

  private static int openTarget(RawClient of, int xrcd, int qpn, int type) throws IOException {
    return result(of, OPEN_QP, Fields.of(32).u32(16, xrcd).u32(20, qpn).u8(24, type), 32);
  }

  private static long destroy(RawClient of, int qp) throws IOException {
    return of.write(DESTROY_QP, Fields.of(16).u32(8, qp).bytes(), of.memory(4));
  }

  private static int state(RawClient of, int qp) throws IOException {
    MemorySegment out = of.memory(128);
    long result = of.write(QUERY_QP, Fields.of(16).u32(8, qp).bytes(), out);
    return result < 0 ? (int) result : out.get(ValueLayout.JAVA_BYTE, 108);
  }

  // ---- domains

  @Test
  void aFileHasOneDomain() throws IOException {
    assertThat(openDomain(client, fd, 0)).isEqualTo(-Errno.EAGAIN);
    assertThat(openDomain(client, fd, O_CREAT | O_EXCL)).isPositive();
    assertThat(openDomain(other, fdAgain, O_CREAT | O_EXCL)).isEqualTo(-Errno.EINVAL);
    assertThat(openDomain(other, fdAgain, 0)).isPositive();
    assertThat(openDomain(other, fd, O_CREAT)).isPositive();
    assertThat(host.objects()).filteredOn(line -> line.startsWith("XRCD")).hasSize(1);
  }

  @Test
  void aDomainEndsWithTheLastClientThatOpenedIt() throws IOException {
    int mine = openDomain(client, fd, O_CREAT);
    int others = openDomain(other, fd, 0);
    assertThat(closeDomain(client, mine)).isPositive();
    assertThat(openDomain(client, fd, 0)).isPositive();
    assertThat(closeDomain(other, others)).isPositive();
    other.close();
    other = new RawClient(host);
    assertThat(openDomain(other, fd, O_EXCL)).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aDomainWithoutAFileIsForOneClient() throws IOException {
    assertThat(openDomain(client, -1, 0)).isPositive();
    assertThat(openDomain(client, -1, O_CREAT | O_EXCL)).isPositive();
    assertThat(host.objects()).filteredOn(line -> line.startsWith("XRCD")).hasSize(2);
  }

  // File systems reuse the inode number of a deleted file.
  @Test
  void aLaterFileDoesNotGetTheDomainOfADeletedFile() throws IOException {
    int mine = openDomain(client, fd, O_CREAT);
    file.close();
    again.close();
    Files.delete(folder.resolve("domain"));
    for (int i = 0; i < 20; i++) {
      Path path = folder.resolve("next-%02d".formatted(i));
      try (FileChannel next =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        assertThat(next.isOpen()).isTrue();
        int number = descriptors(path).getFirst();
        assertThat(openDomain(other, number, 0)).as("file %d", i).isEqualTo(-Errno.EAGAIN);
        int xrcd = openDomain(other, number, O_CREAT | O_EXCL);
        assertThat(xrcd).isPositive();
        assertThat(closeDomain(other, xrcd)).isPositive();
      }
    }
    assertThat(closeDomain(client, mine)).isPositive();
    assertThat(descriptors(folder.resolve("domain"))).isEmpty();
  }

  @Test
  void aFileThatCanNotBeReadHasADomainToo() throws IOException {
    int socket = descriptorOf("socket:");
    assertThat(openDomain(client, socket, O_CREAT | O_EXCL)).isPositive();
    assertThat(openDomain(other, socket, 0)).isPositive();
  }

  /** A descriptor of this process of a kind, by the prefix of its link. */
  private static int descriptorOf(String kind) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(descriptor -> isOf(descriptor, kind))
          .map(descriptor -> Integer.parseInt(descriptor.getFileName().toString()))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aDescriptorThatIsNotOpenIsBad() throws IOException {
    assertThat(openDomain(client, 60000, O_CREAT)).isEqualTo(-Errno.EBADF);
    assertThat(openDomain(client, -2, O_CREAT)).isEqualTo(-Errno.EBADF);
  }

  @Test
  void aDomainCanBeClosedByIoctl() throws IOException {
    int xrcd = openDomain(client, fd, O_CREAT);
    assertThat(client.ioctl(XRCD_OBJECT, 0, RawClient.attribute(0, 0), xrcd)).isZero();
    assertThat(closeDomain(client, xrcd)).isEqualTo(-Errno.ENOENT);
    assertThat(openDomain(client, fd, 0)).isEqualTo(-Errno.EAGAIN);
  }

  // ---- targets

  @Test
  void aDomainIsBusyForAClientWithTargetsInIt() throws IOException {
    int mine = openDomain(client, fd, O_CREAT);
    int others = openDomain(other, fd, 0);
    int[] target = createTarget(client, mine);
    assertThat(closeDomain(client, mine)).isEqualTo(-Errno.EBUSY);
    assertThat(closeDomain(other, others)).isPositive();
    assertThat(destroy(client, target[0])).isPositive();
    assertThat(closeDomain(client, mine)).isPositive();
    assertThat(host.objects()).isEmpty();
  }

  @Test
  void aTargetOutlivesTheClientThatCreatedIt() throws IOException, InterruptedException {
    int[] target = createTarget(client, openDomain(client, fd, O_CREAT));
    int xrcd = openDomain(other, fd, 0);
    int opened = openTarget(other, xrcd, target[1], TARGET);
    assertThat(opened).isPositive();
    client.close();
    client = new RawClient(host);
    assertThat(state(other, opened)).isZero();
    // A separate thread notices the end of a client, and until then the target exists.
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    int again = opened;
    while (again > 0) {
      assertThat(System.nanoTime()).as("the target ends within 30 s").isLessThan(deadline);
      assertThat(destroy(other, again)).isPositive();
      again = openTarget(other, xrcd, target[1], TARGET);
    }
    assertThat(again).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aClientSeesTheChangesOfAnother() throws IOException {
    int[] target = createTarget(client, openDomain(client, fd, O_CREAT));
    int opened = openTarget(other, openDomain(other, fd, 0), target[1], TARGET);
    // The state, access flags, the partition key and the port.
    Fields init = Fields.of(112).u32(64, opened).u32(68, 0x39).u8(96, 1).u8(104, 1);
    assertThat(other.write(MODIFY_QP, init.bytes(), other.memory(0))).isPositive();
    assertThat(state(client, target[0])).isEqualTo(1);
    assertThat(destroy(other, opened)).isPositive();
    assertThat(state(client, target[0])).isEqualTo(1);
  }

  @Test
  void onlyTargetsOfTheDomainCanBeOpened() throws IOException {
    int xrcd = openDomain(client, fd, O_CREAT);
    int[] target = createTarget(client, xrcd);
    assertThat(openTarget(client, xrcd, target[1], INITIATOR)).isEqualTo(-Errno.EINVAL);
    assertThat(openTarget(client, xrcd, 0x7777, TARGET)).isEqualTo(-Errno.EINVAL);
    int elsewhere = openDomain(client, -1, 0);
    assertThat(openTarget(client, elsewhere, target[1], TARGET)).isEqualTo(-Errno.EINVAL);
    assertThat(openTarget(client, 0x7777, target[1], TARGET)).isEqualTo(-Errno.ENOENT);
    assertThat(createTarget(client, 0x7777)).containsExactly(-Errno.ENOENT);
  }

  // ---- with DevX

  @Test
  void aDomainInWhichDevxHasATargetStaysWhole() throws IOException {
    try (DevxClient context = DevxClient.open(host)) {
      int xrcd = openDomain(context.raw(), fd, O_CREAT);
      Made domain = context.domain();
      Made completions = context.createCq(context.umem());
      Made target = null;
      // Numbers of domains are not reported; numbers of other clients' domains are refused.
      for (int number = 1; target == null; number++) {
        byte[] command = target(domain, completions, number);
        assertThat(number).isLessThan(16);
        target = context.create(command) == 0 ? context.last(CreateQpOut.QPN) : null;
      }
      assertThat(closeDomain(context.raw(), xrcd)).isEqualTo(-Errno.EBUSY);
      assertThat(createTarget(other, openDomain(other, fd, 0))[0]).isPositive();
      assertThat(closeDomain(context.raw(), xrcd)).isEqualTo(-Errno.EBUSY);
      assertThat(context.destroy(target.handle())).isZero();
      assertThat(closeDomain(context.raw(), xrcd)).isPositive();
    }
  }

  /** CREATE_QP of a target in a domain. */
  private static byte[] target(Made domain, Made completions, int xrcd) {
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command
        .at(CreateQpIn.QPC)
        .set(Qpc.ST, ServiceType.XRC.code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.PD, domain.number())
        .set(Qpc.NO_SQ, true)
        .set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED)
        .set(Qpc.CQN_SND, completions.number())
        .set(Qpc.CQN_RCV, completions.number())
        .set(Qpc.XRCD, xrcd);
    return command.bytes();
  }
}
