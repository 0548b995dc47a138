// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** What a backup wants to know of a domain's definition, as libvirt's {@code formatdomain} describes it. */
final class DomainXml {

    private static final String AGENT = "/domain/devices/channel/target[@name='org.qemu.guest_agent.0']";

    private final Document document;
    private final XPath path = XPathFactory.newInstance().newXPath();

    DomainXml(String xml) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("libvirt's answer is no XML: " + e.getMessage(), e);
        }
    }

    /** Disks that the domain writes, such as vda. */
    List<String> disks() throws IOException {
        return texts("/domain/devices/disk[@device='disk' and not(readonly) and source]/target/@dev");
    }

    /** Those among them that no backup can hold, or keep a bitmap of, are left to libvirt to refuse. */
    boolean hasGuestAgent() throws IOException {
        return !texts(AGENT + "/@name").isEmpty();
    }

    /** The user and group that its QEMU runs as, where libvirt itself chooses them, such as {@code +64055:+109}. */
    Optional<String> owner() throws IOException {
        return texts("/domain/seclabel[@model='dac']/label/text()").stream().findFirst();
    }

    /** The file with the firmware's variables. */
    Optional<Path> nvram() throws IOException {
        return texts("/domain/os/nvram/text()").stream().findFirst().map(Path::of);
    }

    /** The socket at which a backup that is under way is read. */
    Optional<String> backupSocket() throws IOException {
        return texts("/domainbackup/server/@socket").stream().findFirst();
    }

    private List<String> texts(String expression) throws IOException {
        try {
            NodeList nodes = (NodeList) path.evaluate(expression, document, XPathConstants.NODESET);
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < nodes.getLength(); i++) {
                texts.add(nodes.item(i).getNodeValue().strip());
            }
            return texts;
        } catch (XPathExpressionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A text as it may stand between quotes. */
    static String quoted(String text) {
        return text.replace("&", "&amp;").replace("'", "&apos;").replace("<", "&lt;");
    }
}
