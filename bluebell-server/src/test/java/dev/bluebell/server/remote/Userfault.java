package dev.bluebell.server.remote;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Memory of two pages; a test decides when the second page is served, and earlier accesses wait.
 * See userfaultfd(2).
 */
final class Userfault implements AutoCloseable {
  static final int PAGE = 4096;

  // linux/userfaultfd.h.
  private static final long UFFDIO_API = 0xc018aa3fL;
  private static final long UFFDIO_REGISTER = 0xc020aa00L;
  private static final long UFFDIO_ZEROPAGE = 0xc020aa04L;
  private static final long API = 0xaa;
  private static final long REGISTER_MODE_MISSING = 1;
  private static final int MESSAGE_BYTES = 32;

  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle SYSCALL =
      find(
          "syscall",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT),
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle IOCTL =
      find(
          "ioctl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle READ =
      find("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle CLOSE =
      find("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle MMAP =
      find(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));

  private final Arena arena = Arena.ofShared();
  private final int descriptor;
  private final MemorySegment memory;

  private Userfault(int descriptor) {
    this.descriptor = descriptor;
    long address = (long) call(MMAP, 0L, 2L * PAGE, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
    memory = MemorySegment.ofAddress(address).reinterpret(2L * PAGE);
  }

  private static MethodHandle find(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
  }

  private static Object call(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new LinkageError("a call of the C library failed", e);
    }
  }

  /** Allocates the memory; empty where the system does not allow it. */
  static Optional<Userfault> open() {
    long number = "amd64".equals(System.getProperty("os.arch")) ? 323 : 282;
    int descriptor = (int) (long) call(SYSCALL, number, 0);
    if (descriptor < 0) {
      return Optional.empty();
    }
    Userfault opened = new Userfault(descriptor);
    assertThat(opened.control(UFFDIO_API, API, 0, 0)).isZero();
    return Optional.of(opened);
  }

  private int control(long request, long... words) {
    MemorySegment structure = arena.allocate(MemoryLayout.sequenceLayout(4, JAVA_LONG));
    MemorySegment.copy(words, 0, structure, JAVA_LONG, 0, words.length);
    return (int) call(IOCTL, descriptor, request, structure);
  }

  MemorySegment memory() {
    return memory;
  }

  /** Makes accesses to the second page wait from now on. It must not be mapped yet. */
  void hold() {
    assertThat(control(UFFDIO_REGISTER, memory.address() + PAGE, PAGE, REGISTER_MODE_MISSING, 0))
        .isZero();
  }

  /** Waits until an access waits for the page. */
  void awaitFault() {
    assertThat((long) call(READ, descriptor, arena.allocate(MESSAGE_BYTES), (long) MESSAGE_BYTES))
        .isEqualTo(MESSAGE_BYTES);
  }

  /** Serves the page, zeroed. */
  void letCome() {
    assertThat(control(UFFDIO_ZEROPAGE, memory.address() + PAGE, PAGE, 0, 0)).isZero();
  }

  @Override
  public void close() {
    // Accesses that still wait get the page.
    call(CLOSE, descriptor);
    arena.close();
  }
}
