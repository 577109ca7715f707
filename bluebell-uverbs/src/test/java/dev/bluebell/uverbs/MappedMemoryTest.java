package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.RawClient.Pages;
import dev.bluebell.uverbs.call.ShimChannel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Registered memory is shared with the device if the client was started with that option, and by
 * default where the client can't notice.
 */
class MappedMemoryTest extends Hosted {
  private static final int REG_MR = 9;
  private static final int DEREG_MR = 13;
  private static final int LOCAL_WRITE = 1;
  private static final int ON_DEMAND = 1 << 6;
  private static final int PAGE = 4096;

  private RawClient client;

  @BeforeEach
  void open() throws IOException {
    client = new RawClient(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    host.expectNothingLeft();
  }

  /** Opens the device, with or without permission to map memory; returns a protection domain. */
  private int greet(boolean mayMap) throws IOException {
    return greet(mayMap ? ShimChannel.MAP_MEMORY : 0);
  }

  private int greet(long bits) throws IOException {
    assertThat(client.call(RawClient.HELLO, ShimChannel.PROTOCOL_VERSION, 0, bits)).isZero();
    return client.allocateDomain();
  }

  private int register(int domain, MemorySegment memory, int access) throws IOException {
    MemorySegment out = client.memory(12);
    byte[] input =
        Fields.of(40)
            .u64(8, memory.address())
            .u64(16, memory.byteSize())
            .u64(24, memory.address())
            .u32(32, domain)
            .u32(36, access)
            .bytes();
    assertThat(client.write(REG_MR, input, out)).isEqualTo(48);
    return out.get(ValueLayout.JAVA_INT, 0);
  }

  private void deregister(int handle) throws IOException {
    assertThat(client.write(DEREG_MR, Fields.of(4).u32(0, handle).bytes(), client.memory(0)))
        .isEqualTo(12);
  }

  @Test
  void wholePagesAroundARegionAreSharedWhileItIsRegistered() throws IOException {
    int domain = greet(true);
    MemorySegment memory = client.memory(4 * PAGE).asSlice(100, 2 * PAGE);
    int handle = register(domain, memory, LOCAL_WRITE);
    Pages pages = new Pages(memory.address() - 100, 3 * PAGE);
    assertThat(client.mapped()).containsExactly(pages);
    assertThat(client.unmapped()).isEmpty();
    deregister(handle);
    assertThat(client.unmapped()).containsExactly(pages);
  }

  @Test
  void nothingIsSharedWithoutTheOption() throws IOException {
    deregister(register(greet(false), client.memory(PAGE), LOCAL_WRITE));
    assertThat(client.mapped()).isEmpty();
  }

  /** This process is the client, and has many threads; {@code descriptors.c} has one. */
  @Test
  void memoryOfAMultithreadedClientIsNotSharedByDefault() throws IOException {
    int domain = greet(ShimChannel.MAP_UNNOTICED);
    deregister(register(domain, client.memory(PAGE), LOCAL_WRITE));
    assertThat(client.mapped()).isEmpty();
  }

  @Test
  void regionsInsideOthersShareTheirPages() throws IOException {
    int domain = greet(true);
    MemorySegment memory = client.memory(4 * PAGE);
    int outer = register(domain, memory, LOCAL_WRITE);
    int inner = register(domain, memory.asSlice(PAGE, PAGE), 0);
    deregister(outer);
    assertThat(client.mapped()).hasSize(1);
    assertThat(client.unmapped()).isEmpty();
    deregister(inner);
    assertThat(client.unmapped()).containsExactlyElementsOf(client.mapped());
  }

  @Test
  void aRegionThatOverlapsSharedPagesIsReachedAsIfUnshared() throws IOException {
    int domain = greet(true);
    MemorySegment memory = client.memory(4 * PAGE);
    register(domain, memory.asSlice(0, 2 * PAGE), LOCAL_WRITE);
    register(domain, memory, LOCAL_WRITE);
    assertThat(client.mapped()).hasSize(1);
  }

  @Test
  void pagesThatTheClientReplacedAreNotReplacedAgain() throws IOException {
    int domain = greet(true);
    MemorySegment memory = client.memory(3 * PAGE);
    int handle = register(domain, memory, LOCAL_WRITE);
    Descriptors.replacePages(memory.address() + PAGE, PAGE, -1);
    deregister(handle);
    assertThat(client.unmapped())
        .containsExactly(
            new Pages(memory.address(), PAGE), new Pages(memory.address() + 2 * PAGE, PAGE));
  }

  @Test
  void pagesThatTheClientProtectedAreGivenBackAsTheyAre() throws IOException {
    int domain = greet(true);
    MemorySegment memory = client.memory(4 * PAGE);
    int handle = register(domain, memory, LOCAL_WRITE);
    long address = memory.address();
    Descriptors.protect(address + PAGE, PAGE, 1);
    Descriptors.protect(address + 2 * PAGE, PAGE, 0);
    int inner = register(domain, memory.asSlice(3 * PAGE, PAGE), LOCAL_WRITE);
    assertThat(client.mapped()).hasSize(1);
    deregister(inner);
    // The test can't copy unreadable memory; shim.c does it by another mapping.
    client.refuse(Errno.ENOMEM);
    deregister(handle);
    assertThat(client.unmapped())
        .containsExactly(
            new Pages(address, PAGE),
            new Pages(address + PAGE, PAGE),
            new Pages(address + 2 * PAGE, PAGE),
            new Pages(address + 3 * PAGE, PAGE));
    assertThat(client.protections()).containsExactly(3, 1, 0, 3);
    Descriptors.protect(address, 4 * PAGE, 3);
  }

  @Test
  void sharedPagesTakeNoDescriptorOfTheDeviceProcess() throws IOException {
    int domain = greet(true);
    long before = descriptors();
    register(domain, client.memory(PAGE), LOCAL_WRITE);
    assertThat(client.mapped()).hasSize(1);
    assertThat(descriptors() - before).as("the client's own").isEqualTo(1);
  }

  /** Number of this process's descriptors of shared pages. */
  private static long descriptors() throws IOException {
    long count = 0;
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      for (Path file : files.filter(Files::isSymbolicLink).toList()) {
        try {
          count += Files.readSymbolicLink(file).toString().contains("bluebell-payload") ? 1 : 0;
        } catch (NoSuchFileException gone) {
          // It was the listing's own descriptor.
        }
      }
    }
    return count;
  }

  @Test
  void newPagesInThePlaceOfSharedOnesAreSharedAnew() throws IOException {
    int domain = greet(true);
    MemorySegment memory = client.memory(PAGE);
    int old = register(domain, memory, LOCAL_WRITE);
    Descriptors.replacePages(memory.address(), PAGE, -1);
    int fresh = register(domain, memory, LOCAL_WRITE);
    assertThat(client.mapped()).hasSize(2);
    deregister(old);
    assertThat(client.unmapped()).isEmpty();
    int inside = register(domain, memory, LOCAL_WRITE);
    assertThat(client.mapped()).hasSize(2);
    deregister(fresh);
    deregister(inside);
    assertThat(client.unmapped()).hasSize(1);
  }

  @Test
  void memoryThatTheClientCannotShareIsReachedAsIfUnshared() throws IOException {
    int domain = greet(true);
    client.refuse(Errno.ENOMEM);
    deregister(register(domain, client.memory(PAGE), LOCAL_WRITE));
    assertThat(client.unmapped()).isEmpty();
  }

  @Test
  void aClientThatCannotHaveItsPagesBackMayDeregisterThem() throws IOException {
    int handle = register(greet(true), client.memory(PAGE), LOCAL_WRITE);
    client.refuse(Errno.ENOMEM);
    deregister(handle);
    assertThat(client.unmapped()).hasSize(1);
  }

  @Test
  void theNumberOfSharedRegionsIsLimited() throws IOException {
    int domain = greet(true);
    MemorySegment memory = client.memory(2 * 257 * PAGE);
    for (int i = 0; i < 257; i++) {
      register(domain, memory.asSlice(2L * i * PAGE, PAGE), LOCAL_WRITE);
    }
    assertThat(client.mapped()).hasSize(256);
  }

  @Test
  void memoryOnDemandStaysTheClientsOwn() throws IOException {
    register(greet(true), client.memory(PAGE), LOCAL_WRITE | ON_DEMAND);
    assertThat(client.mapped()).isEmpty();
  }

  @Test
  void memoryOfAFileStaysTheClientsOwn() throws IOException {
    int domain = greet(true);
    Path file = Files.write(folder.resolve("file"), new byte[PAGE]);
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = channel.map(MapMode.PRIVATE, 0, PAGE, arena);
      memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
      deregister(register(domain, memory, LOCAL_WRITE));
    }
    assertThat(client.mapped()).isEmpty();
  }

  @Test
  void executableMemoryStaysTheClientsOwn() throws IOException {
    int domain = greet(true);
    MemorySegment memory = client.memory(PAGE);
    Descriptors.protect(memory.address(), PAGE, 7);
    try {
      deregister(register(domain, memory, LOCAL_WRITE));
    } finally {
      Descriptors.protect(memory.address(), PAGE, 3);
    }
    assertThat(client.mapped()).isEmpty();
  }

  @Test
  void readOnlyMemoryStaysTheClientsOwn() throws IOException {
    int domain = greet(true);
    Path file = Files.write(folder.resolve("file"), new byte[PAGE]);
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofShared()) {
      deregister(register(domain, channel.map(MapMode.READ_ONLY, 0, PAGE, arena), 0));
    }
    assertThat(client.mapped()).isEmpty();
  }
}
