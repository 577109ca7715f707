package dev.bluebell.cli.devx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Memory on a huge page of 2 MiB, for which the JDK has no call. */
final class HugePage {
  private static final long BYTES = 2 << 20;

  // sys/mman.h
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS_HUGETLB = 0x40022;
  private static final long MAP_FAILED = -1;

  private HugePage() {}

  /** Maps a page for the lifetime of the process; NULL if none is reserved. */
  static MemorySegment map() {
    Linker linker = Linker.nativeLinker();
    MethodHandle mmap =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("mmap"),
            FunctionDescriptor.of(
                ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    try {
      MemorySegment mapped =
          (MemorySegment)
              mmap.invokeExact(
                  MemorySegment.NULL,
                  BYTES,
                  PROT_READ_WRITE,
                  MAP_PRIVATE_ANONYMOUS_HUGETLB,
                  -1,
                  0L);
      return mapped.address() == MAP_FAILED ? MemorySegment.NULL : mapped.reinterpret(BYTES);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
