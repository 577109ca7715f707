package dev.bluebell.cli.share;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Translates the WQE and queue pair fields that explanations name into fields of libibverbs, each
 * field once. docs/c-programs.md has the same words. Thread-safe.
 */
final class VerbsWords {
  /** Fields of libibverbs, by the field name in explanations. */
  static final Map<String, String> FIELDS = fields();

  private final SequencedMap<Pattern, String> untold = new LinkedHashMap<>();

  VerbsWords() {
    FIELDS.forEach(
        (word, field) ->
            untold.put(
                Pattern.compile("(?<![\\w.])%s(?!\\w)".formatted(word)),
                "%s is %s".formatted(word, field)));
  }

  private static Map<String, String> fields() {
    SequencedMap<String, String> fields = new LinkedHashMap<>();
    fields.put("rkey", "wr.rdma.rkey (wr.atomic.rkey of an atomic)");
    fields.put("raddr", "wr.rdma.remote_addr (wr.atomic.remote_addr of an atomic)");
    fields.put("lkey", "sg_list[].lkey");
    fields.put("byte_count", "sg_list[].length");
    fields.put("imm", "imm_data (or invalidate_rkey)");
    fields.put(
        "umr_mkey",
        "bind_mw.mw->rkey, to which the application assigns bind_mw.rkey after each bind");
    fields.put("qpn_mkey", "the queue pair's number and the lowest byte of bind_mw.rkey");
    fields.put("dqp_dct", "wr.ud.remote_qpn");
    fields.put("qkey", "wr.ud.remote_qkey, and qkey of ibv_qp_attr at the receiver");
    fields.put("remote_qpn", "dest_qp_num of ibv_qp_attr");
    fields.put("retry_count", "retry_cnt of ibv_qp_attr");
    fields.put("rgid", "ah_attr.grh.dgid");
    fields.put("src_addr_index", "ah_attr.grh.sgid_index");
    return fields;
  }

  /** The fields in a text that were not named before; empty if there are none. */
  synchronized String of(String text) {
    List<Pattern> found = new ArrayList<>();
    for (Pattern word : untold.keySet()) {
      if (word.matcher(text).find()) {
        found.add(word);
      }
    }
    return found.stream().map(untold::remove).collect(Collectors.joining("; "));
  }
}
