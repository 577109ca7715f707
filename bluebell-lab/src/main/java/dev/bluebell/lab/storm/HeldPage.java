package dev.bluebell.lab.storm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Memory whose pages are never delivered: any thread that accesses it blocks. See userfaultfd(2).
 */
final class HeldPage {
  // linux/userfaultfd.h.
  private static final long UFFDIO_API = 0xc018aa3fL;
  private static final long UFFDIO_REGISTER = 0xc020aa00L;
  private static final long API = 0xaa;
  private static final long REGISTER_MODE_MISSING = 1;

  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
  private static final Linker LINKER = Linker.nativeLinker();

  private HeldPage() {}

  private static Object call(
      String function, FunctionDescriptor descriptor, int fixed, Object... arguments) {
    MethodHandle handle =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow(function),
            descriptor,
            Linker.Option.firstVariadicArg(fixed));
    try {
      return handle.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new LinkageError("%s of the C library failed".formatted(function), e);
    }
  }

  /**
   * Allocates such memory for the lifetime of the process.
   *
   * @throws IllegalStateException when the system does not permit it to this process
   */
  static MemorySegment allocate(long bytes) {
    long number = "amd64".equals(System.getProperty("os.arch")) ? 323 : 282;
    int descriptor =
        (int)
            (long)
                call(
                    "syscall", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT), 1, number, 0);
    if (descriptor < 0) {
      throw new IllegalStateException("userfaultfd is not allowed here");
    }
    long address =
        (long)
            call(
                "mmap",
                FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
                6,
                0L,
                bytes,
                PROT_READ_WRITE,
                MAP_PRIVATE_ANONYMOUS,
                -1,
                0L);
    control(descriptor, UFFDIO_API, API, 0, 0, 0);
    control(descriptor, UFFDIO_REGISTER, address, bytes, REGISTER_MODE_MISSING, 0);
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  private static void control(int descriptor, long request, long... words) {
    try (Arena arena = Arena.ofConfined()) {
      int result =
          (int)
              call(
                  "ioctl",
                  FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                  2,
                  descriptor,
                  request,
                  arena.allocateFrom(JAVA_LONG, words));
      if (result != 0) {
        throw new IllegalStateException("userfaultfd does not work here");
      }
    }
  }
}
