package dev.bluebell.conformance.binding;

import dev.bluebell.conformance.BenchExtension;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The suite on a device that runs on a thread of its own, in the profile {@code long}. The slow
 * tests run it on such a device too, in {@link SocketTest}.
 */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.bluebell.conformance")
@ExcludePackages({"dev.bluebell.conformance.binding", "dev.bluebell.conformance.vectors"})
@ConfigurationParameter(key = BenchExtension.DEVICE, value = "soft:engine=thread")
class ThreadTest {}
