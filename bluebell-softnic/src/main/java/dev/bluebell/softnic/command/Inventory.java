package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.found;

import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.doorbell.UarPage;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.TagMatching;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.Umem;
import dev.bluebell.softnic.transport.DcTarget;
import dev.bluebell.softnic.transport.QueuePair;
import dev.bluebell.softnic.transport.XrcSrq;
import java.util.ArrayList;
import java.util.List;

/** All objects that exist on a device. Owned by whoever runs the engine. */
public final class Inventory {
  final ObjectTable<ProtectionDomain> domains = new ObjectTable<>(1, 1 << Limits.LOG_MAX_PD);
  final ObjectTable<UarPage> uarPages = new ObjectTable<>(1, 1 << Limits.LOG_MAX_UAR);
  final ObjectTable<Umem> umems = new ObjectTable<>(1, 1 << Limits.LOG_MAX_UMEM);
  final ObjectTable<CompletionQueue> completionQueues =
      new ObjectTable<>(0x400, 1 << Limits.LOG_MAX_CQ);
  final ObjectTable<QueuePair> queuePairs = new ObjectTable<>(0x40, 1 << Limits.LOG_MAX_QP);
  final ObjectTable<DcTarget> targets =
      new ObjectTable<>(Limits.FIRST_DCT, Limits.FIRST_DCT + (1 << Limits.LOG_MAX_DCT));
  final ObjectTable<ReceivePool> receivePools = new ObjectTable<>(1, 1 << Limits.LOG_MAX_RMP);

  // Linux keeps shared receive queues of all kinds in one table by their numbers.
  final ObjectTable<XrcSrq> xrcSrqs =
      new ObjectTable<>(
          1 << Limits.LOG_MAX_RMP, (1 << Limits.LOG_MAX_RMP) + (1 << Limits.LOG_MAX_XRC_SRQ));
  final ObjectTable<XrcDomain> xrcDomains = new ObjectTable<>(1, 1 << Limits.LOG_MAX_XRCD);
  final DeviceMemory deviceMemory = new DeviceMemory();
  final KeyTable keys;

  /**
   * @param explanations where objects explain what fails nobody
   */
  public Inventory(Explanations explanations) {
    keys = new KeyTable(1 << Limits.LOG_MAX_MKEY, explanations);
  }

  public ObjectTable<QueuePair> queuePairs() {
    return queuePairs;
  }

  public ObjectTable<CompletionQueue> completionQueues() {
    return completionQueues;
  }

  public ObjectTable<DcTarget> targets() {
    return targets;
  }

  public ObjectTable<XrcSrq> xrcSrqs() {
    return xrcSrqs;
  }

  public KeyTable keys() {
    return keys;
  }

  // ---- what a command names; a refusal when it does not exist

  ProtectionDomain domain(int pd) {
    return found(domains.find(pd), "pd 0x%x names no protection domain", pd);
  }

  UarPage uarPage(int page) {
    return found(uarPages.find(page), "uar_page %d names no UAR page", page);
  }

  Umem umem(String prefix, int id) {
    return found(umems.find(id), "%s_umem_id 0x%x names no umem", prefix, id);
  }

  CompletionQueue completionQueue(String field, int cqn) {
    return found(completionQueues.find(cqn), "%s 0x%x names no completion queue", field, cqn);
  }

  QueuePair queuePair(int qpn) {
    return found(queuePairs.find(qpn), "qpn 0x%x names no queue pair", qpn);
  }

  DcTarget target(int dctn) {
    return found(targets.find(dctn), "dctn 0x%x names no DC target", dctn);
  }

  ReceivePool receivePool(String field, int rmpn) {
    ReceivePool pool = receivePools.find(rmpn);
    boolean isPool = pool != null && pool.tags() == null;
    return found(isPool ? pool : null, "%s 0x%x names no receive pool", field, rmpn);
  }

  /** A receive pool or a tag-matching queue. */
  ReceivePool receiver(String field, int number) {
    return found(receivePools.find(number), "%s 0x%x names no receive pool or XRQ", field, number);
  }

  TagMatching tagMatching(int xrqn) {
    ReceivePool pool = receivePools.find(xrqn);
    return found(pool == null ? null : pool.tags(), "xrqn 0x%x names no XRQ", xrqn);
  }

  XrcSrq xrcSrq(int srqn) {
    return found(xrcSrqs.find(srqn), "xrc_srqn 0x%x names no XRC SRQ", srqn);
  }

  XrcDomain xrcDomain(int xrcd) {
    return found(xrcDomains.find(xrcd), "xrcd 0x%x names no XRC domain", xrcd);
  }

  MemoryKey key(int index) {
    return found(keys.atIndex(index), "mkey_index 0x%x names no memory key", index);
  }

  /** One line for each object. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    domains.all().forEach(domain -> lines.add(domain.toString()));
    xrcDomains.all().forEach(domain -> lines.add(domain.toString()));
    uarPages
        .all()
        .forEach(page -> lines.add("UAR %d: %d users".formatted(page.number(), page.users())));
    umems
        .all()
        .forEach(
            umem ->
                lines.add(
                    "umem %d: %d bytes, %d users"
                        .formatted(umem.number(), umem.length(), umem.users())));
    deviceMemory
        .all()
        .forEach(
            (address, memory) ->
                lines.add(
                    "device memory 0x%x: %d bytes, %d users"
                        .formatted(address, memory.length(), memory.users())));
    for (MemoryKey key : keys.all()) {
      lines.add(
          "mkey 0x%x: PD 0x%x, [0x%x, 0x%x)"
              .formatted(key.key(), key.pd(), key.start(), key.start() + key.length()));
    }
    completionQueues.all().forEach(queue -> lines.add(queue.toString()));
    receivePools.all().forEach(pool -> lines.add(pool.toString()));
    xrcSrqs.all().forEach(srq -> lines.add(srq.toString()));
    queuePairs.all().forEach(queuePair -> lines.add(queuePair.toString()));
    targets.all().forEach(target -> lines.add(target.toString()));
    return lines;
  }
}
