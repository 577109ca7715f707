package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.verbs.TagEnd;
import dev.bluebell.verbs.ring.TagMatchingRing;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes of a tag list: WQEs and doorbell record. The vectors describe the operation in words; an
 * unnamed tag, mask or entry is that of the first vector.
 */
final class TagOperationCheck implements VectorCheck {
  private static final Pattern OPERATION =
      Pattern.compile("(?<times>\\d+)?x? ?TAG_(?<operation>ADD|DEL|SYNC)");
  private static final long TAG = 0x1122334455667788L;
  private static final long MASK = 0xffffffff0000ffffL;
  private static final long ADDRESS = 0x7f1122350020L;
  private static final int LENGTH = 96;
  private static final int LKEY = 0xa0b202;

  @Override
  public List<String> differences(JsonNode vector) {
    TagModel model =
        new TagModel(Numbers.integer(vector, "sq_wqe_cnt"), Numbers.integer(vector, "cmd_qpn"));
    int handle = post(model.tags(), Numbers.member(vector, "desc").asText());
    model.tags().ringDoorbell();
    List<String> differences = new ArrayList<>();
    Numbers.compare("the handle", handle, Numbers.integer(vector, "handle"), differences);
    model.compare(vector, differences);
    return differences;
  }

  /** Posts the described operation; returns the entry of the first tag. */
  private static int post(TagMatchingRing tags, String description) {
    boolean signaled = !description.contains("unsignaled");
    boolean empty = description.contains("no sge");
    Matcher count = Pattern.compile("unexpected_cnt=0x(\\p{XDigit}+)").matcher(description);
    int handled = count.find() ? Integer.parseInt(count.group(1), 16) : -1;
    List<Integer> handles = new ArrayList<>();
    Matcher operation = OPERATION.matcher(description);
    while (operation.find()) {
      switch (operation.group("operation")) {
        case "ADD" -> {
          String times = operation.group("times");
          for (int i = 0; i < (times == null ? 1 : Integer.parseInt(times)); i++) {
            handles.add(add(tags, TAG + i, empty, handled, signaled));
          }
        }
        case "DEL" -> {
          if (!tags.remove(handles.getFirst(), 0)) {
            throw new IllegalArgumentException("it removes a tag that was never added");
          }
        }
        default -> tags.synchronize(handled, 0);
      }
    }
    return handles.isEmpty() ? 0 : handles.getFirst() & 0xffff;
  }

  private static int add(
      TagMatchingRing tags, long tag, boolean empty, int handled, boolean signaled) {
    TagEnd end =
        empty ? tags.add(tag, MASK).empty() : tags.add(tag, MASK).scatter(ADDRESS, LENGTH, LKEY);
    if (handled >= 0) {
      end = end.handled(handled);
    }
    return signaled ? end.signaled(0, 0) : end.unsignaled(0);
  }
}
