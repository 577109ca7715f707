package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Ring;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The writes by which a client rearms a program of {@link Calls#REARMED} for a call: the initial
 * rings of worker and client and all words, with the numbers of that call, and the doorbell record,
 * which reposts the receive entry.
 */
public final class Rearming {
  private static final int LOG_WQEBB = ControlSegment.LOG_WQEBB_BYTES;

  private final Plan plan;
  private final ProgramImage image;

  /**
   * A write of the client.
   *
   * @param to destination region, whose key allows writes
   * @param bytes bytes to write to its start
   */
  public record Piece(Region to, byte[] bytes) {
    /** Copies the bytes. */
    public Piece {
      bytes = bytes.clone();
    }

    /** A copy of the bytes. */
    @Override
    public byte[] bytes() {
      return bytes.clone();
    }
  }

  /**
   * Rearms an installed program.
   *
   * @param image initial image of the plan
   * @throws IllegalArgumentException when the plan is not for {@link Calls#REARMED}
   */
  public Rearming(Plan plan, ProgramImage image) {
    if (plan.calls() != Calls.REARMED) {
      throw new IllegalArgumentException("%s is not armed by its client".formatted(plan.name()));
    }
    this.plan = plan;
    this.image = image;
  }

  /**
   * The writes before a call.
   *
   * @param call its number, from 0
   */
  public List<Piece> before(int call) {
    List<Piece> pieces = new ArrayList<>();
    for (Lane lane : List.of(Lane.WORKER, Lane.CLIENT)) {
      byte[] bytes = Arrays.copyOf(content(lane), plan.wqebbs(lane) << LOG_WQEBB);
      number(bytes, 0, call, lane);
      pieces.add(new Piece(ring(lane).region(), bytes));
    }
    Region words = region("words");
    pieces.add(new Piece(words, words.bytes()));
    byte[] posted = ByteBuffer.allocate(Integer.BYTES).putInt(call + 1 & 0xffff).array();
    pieces.add(new Piece(region("receive record"), posted));
    return pieces;
  }

  /**
   * A copy of the image with a launcher that starts {@code calls} calls, one per message.
   *
   * @param calls at most as many as its ring has room for
   */
  public ProgramImage launching(int calls) {
    byte[] all = content(Lane.LAUNCHER);
    int wqebbs = plan.wqebbs(Lane.LAUNCHER);
    for (int call = 0; call < calls; call++) {
      System.arraycopy(launch(call), 0, all, call * wqebbs << LOG_WQEBB, wqebbs << LOG_WQEBB);
    }
    return image.withSends(queue(Lane.LAUNCHER).qpn(), all, calls * wqebbs);
  }

  /**
   * The entries of the launcher for a call.
   *
   * @param call its number, from 0
   */
  public byte[] launch(int call) {
    byte[] bytes = Arrays.copyOf(content(Lane.LAUNCHER), plan.wqebbs(Lane.LAUNCHER) << LOG_WQEBB);
    number(bytes, 0, call, Lane.LAUNCHER);
    return bytes;
  }

  /** Writes the numbers of a call to entries that begin at an offset. */
  private void number(byte[] bytes, int at, int call, Lane lane) {
    for (Entry entry : plan.queue(lane)) {
      // A bare one has an operand where others have their index.
      boolean bare = entry.action() instanceof Entry.Work work && work.instruction().isBare();
      for (Count count : Count.of(entry, !bare, plan::wqebbs, this::completions)) {
        byte[] number = count.after(call).content();
        int place = at + (entry.index() << LOG_WQEBB) + count.offset();
        System.arraycopy(number, 0, bytes, place, number.length);
      }
    }
  }

  private int completions(Counter counter) {
    return counter == Counter.CALLS
        ? 1
        : (int) plan.queue(counter.lane()).stream().filter(Entry::signalled).count();
  }

  private byte[] content(Lane lane) {
    return ring(lane).region().bytes();
  }

  private Ring ring(Lane lane) {
    return queue(lane).send();
  }

  private Queue queue(Lane lane) {
    return image.queues().stream()
        .filter(queue -> queue.name().equals(lane.text()))
        .findFirst()
        .orElseThrow();
  }

  private Region region(String name) {
    return image.regions().stream()
        .filter(region -> region.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
