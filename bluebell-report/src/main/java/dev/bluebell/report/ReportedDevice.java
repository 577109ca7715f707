package dev.bluebell.report;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.counter.PortCounter;
import java.util.List;
import java.util.Map;

/**
 * The data of one device in a report.
 *
 * @param name name in the application
 * @param record the flight record
 * @param explanations the device's explanations, oldest first
 * @param before counters at the application's start; empty when all began at 0
 * @param after counters at its end; empty when unknown
 */
public record ReportedDevice(
    String name,
    List<HcaHappening> record,
    List<String> explanations,
    Map<PortCounter, Long> before,
    Map<PortCounter, Long> after) {}
