package dev.bluebell.verbs.object;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;

/** Doorbell records in pages of registered memory, one per cache line. Thread-safe. */
public final class DoorbellRecordPool {
  private static final int PAGE_BYTES = 4096;

  /**
   * A doorbell record.
   *
   * @param page the memory that contains it, to keep that memory reachable
   * @param umem number of that memory
   * @param offset of the record in it
   */
  public record Record(MemorySegment page, int umem, long offset) {

    public long address() {
      return page.address() + offset;
    }
  }

  private final Hca hca;
  private final Queue<Record> free = new ArrayDeque<>();

  public DoorbellRecordPool(Hca hca) {
    this.hca = hca;
  }

  /**
   * Takes a record; both counters are 0.
   *
   * @param teardown gives it back
   */
  public synchronized Record take(Teardown teardown) {
    if (free.isEmpty()) {
      addPage();
    }
    Record record = free.remove();
    Memory.putLong(record.address(), 0);
    teardown.add(() -> give(record));
    return record;
  }

  private synchronized void give(Record record) {
    free.add(record);
  }

  /** Pages live as long as the device, which closes their umems. */
  private void addPage() {
    MemorySegment page = hca.allocate(PAGE_BYTES);
    HcaUmem umem = hca.registerUmem(page);
    for (long offset = 0; offset < PAGE_BYTES; offset += DoorbellRecord.STRIDE) {
      free.add(new Record(page, umem.number(), offset));
    }
  }
}
