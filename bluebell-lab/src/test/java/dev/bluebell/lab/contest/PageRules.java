package dev.bluebell.lab.contest;

import dev.bluebell.program.Program;
import dev.bluebell.program.install.SharedData;
import dev.bluebell.program.offload.PageAllocate;
import dev.bluebell.program.offload.PageAllocate.Action;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Clients allocate and free pages; no page has two owners, and none is lost. */
final class PageRules implements Rules {
  private static final int LOG_PAGES = 2;
  private static final int PAGES = 1 << LOG_PAGES;
  private static final int PAGE_BYTES = 64;
  private static final long NONE = 0;
  private static final int TAKE = 0;
  private static final int FREE = 1;
  private static final ValueLayout.OfLong POINTER =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private final PageAllocate take = new PageAllocate(Action.TAKE, LOG_PAGES, PAGE_BYTES, 0, PAGES);
  private final PageAllocate free = new PageAllocate(Action.FREE, LOG_PAGES, PAGE_BYTES, 0, PAGES);
  private final long[] freed;
  private final Map<Long, Integer> owners = new HashMap<>();
  private final Set<Long> all = new HashSet<>();
  private final Set<Long> given = new HashSet<>();
  private int taken;
  private int again;
  private int none;
  private int back;

  PageRules(int clients) {
    freed = new long[clients];
  }

  @Override
  public List<Program> programs() {
    return List.of(take.program(), free.program());
  }

  @Override
  public void begin(SharedData data) {
    long pages = data.region(take.pages().name()).address();
    for (int page = 0; page < PAGES; page++) {
      all.add(pages + take.offset(page));
    }
  }

  @Override
  public Move next(int client, Random random) {
    List<Long> own =
        owners.entrySet().stream()
            .filter(entry -> entry.getValue() == client)
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    freed[client] = NONE;
    if (own.isEmpty() || random.nextInt(3) == 0) {
      return new Move(TAKE, take.call(NONE));
    }
    long page = own.get(random.nextInt(own.size()));
    freed[client] = page;
    // From here on, another client may get it, before this one has its answer.
    owners.remove(page);
    return new Move(FREE, free.call(page));
  }

  @Override
  public void answered(int client, byte[] answer, List<String> complaints) {
    long page = ByteBuffer.wrap(answer).getLong();
    if (freed[client] == NONE) {
      took(client, page, complaints);
    } else if (page == NONE) {
      back++;
    } else {
      // The slot is occupied, so the page stays with its owner.
      own(client, freed[client], complaints);
    }
  }

  private void took(int client, long page, List<String> complaints) {
    if (page == NONE) {
      none++;
      return;
    }
    if (!all.contains(page)) {
      complaints.add("client %d got 0x%x, which is not a page".formatted(client, page));
    }
    own(client, page, complaints);
    taken++;
    again += given.add(page) ? 0 : 1;
  }

  private void own(int client, long page, List<String> complaints) {
    Integer other = owners.put(page, client);
    if (other != null) {
      complaints.add("clients %d and %d both have page 0x%x".formatted(other, client, page));
    }
  }

  @Override
  public void end(SharedData data, List<String> complaints) {
    MemorySegment ring = data.region("ring").segment();
    Set<Long> found = new HashSet<>(owners.keySet());
    int count = found.size();
    for (int slot = 0; slot < PAGES; slot++) {
      long page = ring.get(POINTER, (long) slot * Long.BYTES);
      if (page != NONE) {
        found.add(page);
        count++;
      }
    }
    if (count != PAGES || !found.equals(all)) {
      complaints.add("%d pages are left of %d".formatted(count, PAGES));
    }
  }

  @Override
  public String summary() {
    return "%d pages were handed out %d times, %d of them again; %d calls found no free page; %d pages came back"
        .formatted(PAGES, taken, again, none, back);
  }
}
