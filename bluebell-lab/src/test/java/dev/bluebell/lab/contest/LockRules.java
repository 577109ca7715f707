package dev.bluebell.lab.contest;

import dev.bluebell.program.Program;
import dev.bluebell.program.install.SharedData;
import dev.bluebell.program.offload.Lock;
import dev.bluebell.program.offload.Tables;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Clients take and release a lock; no two of them hold it at the same time. */
final class LockRules implements Rules {
  private static final int NOBODY = -1;
  private static final int TAKE = 0;
  private static final int RELEASE = 1;

  private final Lock take = new Lock(Lock.Action.TAKE, 0);
  private final Lock release = new Lock(Lock.Action.RELEASE, 0);
  private final boolean[] releases;
  private int holder = NOBODY;
  private int taken;
  private int refused;

  LockRules(int clients) {
    releases = new boolean[clients];
  }

  @Override
  public List<Program> programs() {
    return List.of(take.program(), release.program());
  }

  @Override
  public void begin(SharedData data) {}

  @Override
  public @Nullable Move next(int client, Random random) {
    if (random.nextBoolean()) {
      return null;
    }
    releases[client] = client == holder;
    if (client == holder) {
      // From here on, another client may take it, before this one has its answer.
      holder = NOBODY;
      return new Move(RELEASE, release.call(number(client)));
    }
    return new Move(TAKE, take.call(number(client)));
  }

  private static long number(int client) {
    return client + 1L;
  }

  @Override
  public void answered(int client, byte[] answer, List<String> complaints) {
    long owner = Tables.number(answer, 0);
    if (releases[client]) {
      if (owner == number(client)) {
        complaints.add("client %d released the lock and still holds it".formatted(client));
      }
    } else if (owner == number(client)) {
      if (holder != NOBODY) {
        complaints.add(
            "clients %d and %d hold the lock at the same time".formatted(holder, client));
      }
      holder = client;
      taken++;
    } else {
      refused++;
      if (owner == 0 || owner > releases.length) {
        complaints.add("client %d got the answer that %d holds the lock".formatted(client, owner));
      }
    }
  }

  @Override
  public void end(SharedData data, List<String> complaints) {
    long word = data.region(take.table().name()).segment().get(ValueLayout.JAVA_LONG, 0);
    long expected = holder == NOBODY ? 0 : number(holder);
    if (word != expected) {
      complaints.add("the lock's word is %d, not %d".formatted(word, expected));
    }
  }

  @Override
  public String summary() {
    return "the lock was taken %d times and refused %d times".formatted(taken, refused);
  }
}
